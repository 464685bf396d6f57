import { DEEP_NESTING, findDeepNesting } from './json-nesting.ts';

/** Where and why a text is not valid JSON. */
export interface JsonFault {
  /**
   * Offset of the first character that cannot continue the document; the length of a truncated
   * text.
   */
  readonly offset: number;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/**
 * Explains why `JSON.parse` rejects `text`; null if it does not. For error messages only: the
 * engine reports the position of most faults; that of an unexpected token is found by bisection.
 */
export function findJsonFault(text: string): JsonFault | null {
  const deep = findDeepNesting(text);
  if (deep !== null) return { offset: deep, line: lineOf(text, deep), message: DEEP_NESTING };
  const reason = refusal(text, text.length);
  if (reason === null) return null;
  const offset = faultOffset(text, reason);
  const message = offset >= text.length ? 'the text ends in the middle' : withoutPosition(reason);
  return { offset, line: lineOf(text, offset), message };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function faultOffset(text: string, reason: string): number {
  const named = /at position (\d+)/.exec(reason)?.[1];
  if (reason.startsWith('Unterminated string')) return text.length;
  if (named !== undefined) return Number(named);
  if (!isUnexpectedToken(reason)) return text.length;
  let valid = 0;
  let faulty = text.length;
  while (faulty - valid > 1) {
    const middle = (valid + faulty) >>> 1;
    if (isUnexpectedToken(refusal(text, middle))) faulty = middle;
    else valid = middle;
  }
  return valid;
}

/** The engine's reason for rejecting the first `length` characters. */
function refusal(text: string, length: number): string | null {
  try {
    JSON.parse(text.slice(0, length));
    return null;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

function isUnexpectedToken(reason: string | null): boolean {
  return reason?.startsWith('Unexpected token') === true;
}

/**
 * The engine's message without the position, which is reported separately, and without an excerpt.
 */
function withoutPosition(reason: string): string {
  return reason.replace(/ in JSON at position.*$/s, '').replace(/, .*is not valid JSON$/s, '');
}
