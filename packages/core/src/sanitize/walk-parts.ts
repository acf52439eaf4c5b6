import type { SanitizeLimits } from "./limits.ts";
import type { RecentResults } from "./recent-results.ts";
import type { SecretFieldsParts } from "./secret-fields.ts";
import type { TextLimiter } from "./text-limiter.ts";

/** What all walks of one sanitiser share. */
export interface WalkParts extends SecretFieldsParts {
  readonly limits: SanitizeLimits;
  readonly texts: TextLimiter;
  readonly recent: RecentResults;
  readonly isErrorStackKept: boolean;
}
