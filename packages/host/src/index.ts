export { HostError } from "./host-error.ts";
export { loadPlugin } from "./load-plugin.ts";
export { journalDirectory, observerHome } from "./paths.ts";
export { closeWithin } from "./shutdown.ts";
export type { HostErrorCode } from "./host-error.ts";
export type { LoadPluginOptions } from "./load-plugin.ts";
export type { Environment } from "./paths.ts";
export type { Closable } from "./shutdown.ts";
