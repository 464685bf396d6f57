/**
 * `JSON.parse` for text with integers beyond 2^53: integers of 16 or more digits arrive as strings
 * of their digits, everything else as usual. Slower than `JSON.parse`, so for the texts that need it.
 * Throws SyntaxError as `JSON.parse` does.
 */
export function parseLossless(text: string): unknown {
  return JSON.parse(quoteLongIntegers(text));
}

/** The fewest digits with which an integer can exceed 2^53. */
const LONG_DIGITS = 16;

function quoteLongIntegers(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isNumberCharacter(code)) {
      const end = endOfNumber(text, at);
      if (isLongInteger(text, at, end)) {
        parts.push(text.slice(copied, at), '"', text.slice(at, end), '"');
        copied = end;
      }
      at = end;
    } else at++;
  }
  if (copied === 0) return text;
  parts.push(text.slice(copied));
  return parts.join('');
}

/** The position after the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let close = text.indexOf('"', start + 1);
  while (close > 0) {
    let backslashes = 0;
    while (text.charCodeAt(close - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return close + 1;
    close = text.indexOf('"', close + 1);
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isNumberCharacter(text.charCodeAt(end))) end++;
  return end;
}

function isLongInteger(text: string, start: number, end: number): boolean {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
  if (end - at < LONG_DIGITS || text.charCodeAt(at) === ZERO) return false;
  for (; at < end; at++) if (!isDigit(text.charCodeAt(at))) return false;
  return true;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Digits, signs, the point and the exponent's letter: what a number is written with. */
function isNumberCharacter(code: number): boolean {
  return (
    isDigit(code) ||
    code === MINUS ||
    code === PLUS ||
    code === POINT ||
    code === SMALL_E ||
    code === CAPITAL_E
  );
}

const QUOTE = 34;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const CAPITAL_E = 69;
const BACKSLASH = 92;
const SMALL_E = 101;
