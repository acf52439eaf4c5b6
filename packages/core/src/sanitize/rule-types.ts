/** A known token shape: `pattern` matches the token itself. */
interface TokenRule {
  readonly id: string;
  /** The first three characters that a match can have; if it is absent, a match holds a dot or a colon. */
  readonly starts?: readonly string[];
  readonly pattern: string;
}

/** A shape that is looked for where one of `probes` occurs; group 1 of `pattern` stays, the rest is masked. */
export interface PatternRule {
  readonly id: string;
  readonly probes: readonly string[];
  readonly pattern: string;
}

/** Names: regular expressions on the normalised name, and lists of exact names. */
export interface KeyRuleData {
  readonly strong: readonly string[];
  readonly weak: readonly string[];
  readonly environment: readonly string[];
  readonly environmentAllowed: readonly string[];
  readonly allowed: readonly string[];
  readonly passwords: string;
  readonly headers: string;
  readonly messageLists: readonly string[];
  readonly schemaMaps: readonly string[];
  readonly schemaKeywords: readonly string[];
  readonly nameFields: readonly string[];
  readonly queryNames: readonly string[];
}

/** Values that stay although their name is sensitive. */
export interface PlainValueData {
  readonly exact: string;
  readonly typeWord: string;
  readonly reference: string;
  readonly environmentRead: string;
  readonly call: string;
  readonly dotted: string;
  readonly identifier: string;
  readonly schemaStart: string;
  readonly scheme: string;
}

/** The content of `rules/redaction.json`. */
export interface RedactionRules {
  readonly version: number;
  readonly keys: KeyRuleData;
  readonly plainValues: PlainValueData;
  readonly tokens: { readonly leftBoundary: string; readonly rules: readonly TokenRule[] };
  readonly patterns: { readonly rules: readonly PatternRule[] };
}
