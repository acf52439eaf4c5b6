import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

import { HostError } from "./host-error.ts";

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder that everything of hermes-observer lives in: `HERMES_OBSERVER_HOME`, else the platform's data folder
 * (`XDG_DATA_HOME` or `~/.local/share`; `~/Library/Application Support`; `LOCALAPPDATA`).
 *
 * **Contract:** absolute, and not created. An empty variable counts as not set; a relative `XDG_DATA_HOME` is
 * ignored, as the XDG specification asks.
 *
 * @throws HostError `HOST_NO_HOME` when neither a variable nor the system names a home folder
 */
export function observerHome(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  const own = env["HERMES_OBSERVER_HOME"];
  if (own !== undefined && own !== "") return resolve(own);
  return join(dataFolder(env, platform), "hermes-observer");
}

/** Where recordings lie: `<home>/journal`. Throws as `observerHome` does. */
export function journalDirectory(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(observerHome(env, platform), "journal");
}

function dataFolder(env: Environment, platform: NodeJS.Platform): string {
  if (platform === "win32") {
    const local = env["LOCALAPPDATA"];
    return local !== undefined && local !== ""
      ? local
      : join(userHome(env, platform), "AppData", "Local");
  }
  if (platform === "darwin") return join(userHome(env, platform), "Library", "Application Support");
  const xdg = env["XDG_DATA_HOME"];
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  return join(userHome(env, platform), ".local", "share");
}

function userHome(env: Environment, platform: NodeJS.Platform): string {
  const named = env[platform === "win32" ? "USERPROFILE" : "HOME"];
  const home = named !== undefined && named !== "" ? named : homedir();
  if (home !== "") return home;
  throw new HostError(
    "HOST_NO_HOME",
    "no home folder is known; set HERMES_OBSERVER_HOME to the folder that recordings may go to",
  );
}
