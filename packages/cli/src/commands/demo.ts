import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDemo, createModel } from "@hermes-observer/agent";
import { startModelServer } from "@hermes-observer/agent/testing";
import type { Arguments, CommandContext } from "../command.ts";
import { liveView } from "../live-view.ts";
import { runAgent } from "../run-agent.ts";

/** `demo`: a real run against a scripted model, from nothing to the tree. */
export async function demo(args: Arguments, context: CommandContext): Promise<number> {
  const { output } = context;
  const scratchDir = mkdtempSync(join(tmpdir(), "hermes-observer-demo-"));
  const setting = createDemo({ scratchDir });
  const { script, task, systemPrompt, childSystemPrompt, modelName } = setting;
  const wireLog = args.text("wire-log");
  if (wireLog !== undefined) writeFileSync(wireLog, "", { mode: 0o600 });
  const server = await startModelServer({
    script,
    onRequest: ({ rawBody }) => {
      if (wireLog !== undefined) appendFileSync(wireLog, `${rawBody}\n`);
    },
  });
  try {
    await setting.prepare();
    output.note(`task: ${task}`);
    return await runAgent(
      {
        task,
        systemPrompt,
        childSystemPrompt,
        workspace: scratchDir,
        model: createModel({ model: modelName, baseUrl: server.baseUrl, env: {} }),
        ui: {
          ...liveView(output, () => {}),
          askApproval: (request) => {
            output.note(
              `  ? ${request.command} — ${request.description}; the scripted human answers: once`,
            );
            return Promise.resolve("once");
          },
        },
      },
      args,
      context,
    );
  } finally {
    await server.close();
    rmSync(scratchDir, { recursive: true, force: true });
  }
}
