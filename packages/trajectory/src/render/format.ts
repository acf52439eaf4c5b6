/** Milliseconds as people read them: `12 ms`, `1.2 s`, `3m 05s`, `2h 07m`. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return "";
  if (ms < 1) return ms === 0 ? "0 ms" : "<1 ms";
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${twoDigits(whole % 60)}s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`;
}

/** A count of tokens: `950`, `18.2k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 99_950) return `${trimZero((count / 1000).toFixed(1))}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  if (count < 99_950_000) return `${trimZero((count / 1e6).toFixed(1))}M`;
  return `${Math.round(count / 1e6)}M`;
}

/** An amount with its currency: two decimals from 1 on, four from 0.001 on, two digits that count below. */
export function formatMoney(amount: number, currency: string | null): string {
  const symbol = symbols[currency ?? ""] ?? (currency === null ? "" : `${currency} `);
  if (amount === 0) return `${symbol}0`;
  if (amount < 0.000_000_5) return `<${symbol}0.000001`;
  if (amount >= 1) return `${symbol}${amount.toFixed(2)}`;
  if (amount >= 0.001) return `${symbol}${amount.toFixed(4)}`;
  return `${symbol}${amount.toFixed(6).replace(/0+$/, "")}`;
}

/** `1 turn`, `2 turns`. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const symbols: Readonly<Record<string, string>> = { USD: "$", EUR: "€", GBP: "£", JPY: "¥" };

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

function trimZero(text: string): string {
  return text.endsWith(".0") ? text.slice(0, -2) : text;
}
