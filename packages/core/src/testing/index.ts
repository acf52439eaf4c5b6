export { misbehaving, misbehaviours } from "./misbehaving.ts";
export { recorder } from "./recorder.ts";
export { play, scriptedEvents } from "./scripted-source.ts";

export type { Emitter, Misbehaviour } from "./misbehaving.ts";
export type { Recorded, Recorder } from "./recorder.ts";
export type { ScriptedStep, ScriptOptions } from "./scripted-source.ts";
