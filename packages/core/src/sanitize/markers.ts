/** What stands for a value under a name that says it is secret. */
export const mask = "<redacted>";

/** What stands for text that one of the value rules found. */
export function maskOf(rule: string): string {
  return `<redacted:${rule}>`;
}

/** Key under which an object says how many of its keys were cut. */
export const cutKey = "<truncated>";

/** What stands for a value that threw when it was read. */
export const unreadable = "<unreadable>";

/** What stands for a reference to an object that the value stands in. */
export const cycle = "<cycle>";

/** What a container, string or key leaves behind when nothing of it could be kept. */
export function cutWhole(count: number, unit: "chars" | "items" | "keys"): string {
  return `<truncated: ${count} ${unit}>`;
}

/** What says that a part was left out: at the end of a string, in a list, under {@link cutKey} of an object. */
export function cutPart(removed: number, total: number, unit: "chars" | "items" | "keys"): string {
  return `<truncated: ${removed} of ${total} ${unit}>`;
}

/** What stands for binary content. */
export function binary(bytes: number): string {
  return `<${bytes} bytes>`;
}

const maskPattern = /^<redacted(?::[a-z0-9-]{1,40})?>$/;
const markerPattern =
  /^<(?:truncated: \d+(?: of \d+)? (?:chars|items|keys)|unreadable|cycle|function|invalid date|\d+ bytes)>$/;

/** Whether the text is a mask, whole and nothing else. */
function isMask(text: string): boolean {
  return text.charCodeAt(0) === 60 && text.length <= 52 && maskPattern.test(text);
}

/** Whether the text is a mask or one of the other markers, whole and nothing else: it holds no content. */
export function isMarker(text: string): boolean {
  return (
    isMask(text) || (text.charCodeAt(0) === 60 && text.length <= 64 && markerPattern.test(text))
  );
}
