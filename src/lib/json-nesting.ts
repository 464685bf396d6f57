/** Deeper than any legitimate document. */
const DEPTH_MAX = 512;
/**
 * Shorter texts are not scanned. `JSON.parse` needs up to 70 bytes for each open bracket, so a
 * hundred megabytes of brackets exhaust the memory of the process. A scan takes about a fifth of
 * the time of parsing the text.
 */
const HARMLESS_LENGTH = 2 ** 24;

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Returns the position of the bracket at which a JSON text exceeds 512 levels of nesting; null if
 * it never does, is not JSON, or is too short to do harm.
 */
export function findDeepNesting(text: string, harmlessLength = HARMLESS_LENGTH): number | null {
  if (text.length <= harmlessLength) return null;
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++depth > DEPTH_MAX) return at;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--;
    at = code === QUOTE ? endOfString(text, at) : at + 1;
  }
  return null;
}

/**
 * The position after the closing quote of the string that opens at `start`, or the end of the text.
 */
export function endOfString(text: string, start: number): number {
  let close = text.indexOf('"', start + 1);
  while (close > 0) {
    let backslashes = 0;
    while (text.charCodeAt(close - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return close + 1;
    close = text.indexOf('"', close + 1);
  }
  return text.length;
}

/** `JSON.parse` for long untrusted texts. Throws SyntaxError as it does, and for deep nesting. */
export function parseShallow(text: string): unknown {
  const position = findDeepNesting(text);
  if (position !== null) throw new SyntaxError(`${DEEP_NESTING} at position ${position}`);
  return JSON.parse(text);
}

export const DEEP_NESTING = `more than ${DEPTH_MAX} values inside each other`;
