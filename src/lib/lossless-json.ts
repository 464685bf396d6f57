import { endOfString, parseShallow } from './json-nesting.ts';

/**
 * `JSON.parse` for text with integers beyond 2^53: integers of 16 or more digits are returned as
 * strings of their digits, everything else as usual. Slower than `JSON.parse`; use it only for
 * texts that need it. Throws SyntaxError as `JSON.parse` does, and for a long text that is nested
 * deeply.
 */
export function parseLossless(text: string): unknown {
  return parseShallow(quoteLongIntegers(text));
}

/** The fewest digits of an integer that can exceed 2^53. */
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

/** Digits, signs, the decimal point and the exponent's letter. */
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
const SMALL_E = 101;
