import type { Producer } from "@hermes-observer/core";

/** This agent and the hooks that it fires: all of the contract but those whose occasion it does not have yet. */
export const agentProducer: Producer = {
  name: "hermes-observer-agent",
  version: "0.1.0",
  capabilities: {
    on_session_start: "full",
    on_session_end: "full",
    on_session_finalize: "full",
    on_session_reset: "full",
    pre_llm_call: "full",
    post_llm_call: "full",
    pre_api_request: "full",
    post_api_request: "full",
    api_request_error: "full",
    pre_tool_call: "full",
    post_tool_call: "full",
    // It asks for approvals; it has no sudo and no clarify prompt.
    on_human_input_request: "partial",
    on_human_input_resolved: "partial",
    pre_approval_request: "full",
    post_approval_response: "full",
    subagent_start: "full",
    subagent_stop: "full",
    transform_tool_result: "full",
    transform_llm_output: "full",
  },
};
