/** Deeper than any document that somebody means. */
const DEPTH_MAX = 512;
/**
 * Shorter texts are parsed as they are. `JSON.parse` takes up to 70 bytes for each bracket that is
 * open, so that a hundred megabytes of them end a process, and the scan of a text takes about a
 * fifth of the time of parsing it.
 */
const HARMLESS_LENGTH = 2 ** 24;

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * The place of the bracket with which a text that claims to be JSON is nested more than 512 deep;
 * null for one that is not, or too short to do harm by it.
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

/** The position after the quote that closes what opens at `start`, or the end of the text. */
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

/** `JSON.parse` for long texts of strangers. Throws SyntaxError as it does, and for deep nesting. */
export function parseShallow(text: string): unknown {
  const place = findDeepNesting(text);
  if (place !== null) throw new SyntaxError(`${DEEP_NESTING} at position ${place}`);
  return JSON.parse(text);
}

export const DEEP_NESTING = `more than ${DEPTH_MAX} values inside each other`;
