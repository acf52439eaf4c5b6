export { defaultLimits } from "./limits.ts";
export { createSanitizer, sanitize } from "./sanitizer.ts";
export type { SanitizeLimits } from "./limits.ts";
export type { ConvertedKind, CutKind, SanitizeReport } from "./report.ts";
export type { SanitizedJson, SanitizeOptions, Sanitizer } from "./sanitizer.ts";
