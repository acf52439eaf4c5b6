/*
 * The two hooks that see a text before it is used. They make no node: they are marked on the call and the turn that
 * they are about, for producers that promise one for each.
 */
import type { Payload } from "@hermes-observer/core";
import { asText } from "../payload-fields.ts";
import type { Core } from "./core.ts";
import { Entry } from "./entry.ts";
import { toolKey, toolSlot } from "./filing.ts";
import { countOther, sessionOf } from "./sessions.ts";
import { knownTurn } from "./turns.ts";

/** `transform_tool_result`: after the call, before its result goes to the model. */
export function onTransformToolResult(core: Core, payload: Payload): void {
  const session = sessionOf(core, asText(payload["session_id"]), "end");
  countOther(core, session);
  const turn = knownTurn(core, session, asText(payload["turn_id"]));
  const slot = toolSlot(asText(payload["tool_call_id"]), asText(payload["tool_name"]));
  const open = (turn?.own ?? session.loose).tools.get(slot)?.[0];
  const home = turn?.session ?? session;
  const tool = open ?? home.recent.get(toolKey(turn?.node.turn_id ?? "", slot));
  if (tool instanceof Entry && tool.node.kind === "tool") tool.node.result_transformed = true;
}

/** `transform_llm_output`: the final text of a turn, before it is stored. */
export function onTransformLlmOutput(core: Core, payload: Payload): void {
  const session = sessionOf(core, asText(payload["session_id"]), "end");
  countOther(core, session);
  const turn = knownTurn(core, session, asText(payload["turn_id"]));
  if (turn !== null) turn.node.output_transformed = true;
}
