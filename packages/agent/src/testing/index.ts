export { parseModelScript, readModelScript } from "./model-script.ts";
export { startModelServer } from "./model-server.ts";
export type {
  ModelScript,
  ScriptedConversation,
  ScriptedFault,
  ScriptedToolCall,
  ScriptStep,
} from "./model-script.ts";
export type { ModelServer, ModelServerOptions, ReceivedRequest } from "./model-server.ts";
export type { ChatRequestBody } from "./script-position.ts";
