import { describe, expect, test } from 'vitest';
import { forbiddenLines, missingSlotLine } from './log-laws.ts';

const WARNING = '{"level":"warn","problem":{"code":"not-json"},"msg":"part could not be used"}';

describe('lines that a log must not contain (G3)', () => {
  test.each([
    ['UnhandledPromiseRejectionWarning: Error: x', true],
    ['node:internal/process/promises:394\n      triggerUncaughtException(err, true);', true],
    ['(node:12) MaxListenersExceededWarning: Possible EventEmitter memory leak', true],
    ['TypeError: Cannot read properties of undefined\n    at run (file:///a.ts:1:2)', true],
    ['{"level":"error","err":{"type":"TypeError"},"msg":"failed"}', true],
    ['{"level":"fatal","msg":"the worker ended"}', true],
    [WARNING, false],
    ['', false],
  ])('%j is forbidden: %s', (text, isOutcry) => {
    expect(forbiddenLines(`${WARNING}\n${text}\n`).length > 0).toBe(isOutcry);
  });
});

describe('the line about a missing slot (G6)', () => {
  const line = '{"level":"warn","from":400000010,"to":400000012,"reason":"r","msg":"missing"}';

  test('is found by any slot of its range, and by no other', () => {
    const text = `${WARNING}\n${line}\n`;
    const found = [400_000_009, 400_000_010, 400_000_012, 400_000_013].map((slot) =>
      missingSlotLine(text, slot),
    );
    expect(found).toEqual([null, line, line, null]);
  });

  test('is not another problem that mentions the slot', () => {
    const other = '{"level":"warn","problem":{"position":"slot 400000010"},"msg":"unfit"}';
    expect(missingSlotLine(other, 400_000_010)).toBeNull();
  });
});
