import { describe, expect, test } from 'vitest';
import { packageOf, packageThat } from '../../../tests/support/detector-package.ts';
import { aCase } from '../../../tests/support/mint-case.ts';
import { caseText } from '../../fraud/contract/case-text.ts';
import { createReading } from '../../fraud/detect/inspect-case.ts';
import { UsageError } from '../../model/errors.ts';
import { openDetector, StalledDetector, WORK_MAX } from './open-detector.ts';

const mintCase = aCase();
const text = caseText(mintCase);

/** What a detector with this body gives for a case. */
function judged(body: string) {
  return openDetector(packageThat(body)).judge(createReading(mintCase), text);
}

const CLOCK = 'A detector has no clock: the time of a case is mintCase.timeMs.';
const CHANCE = 'A detector has no randomness: the same case must give the same judgements.';
const WORK = `It did not end within ${WORK_MAX} turns and calls.`;

describe('a detector that fails', () => {
  test.each<[string, string, string, string]>([
    ['throws', 'throw new RangeError("no")', 'threw', 'RangeError: no'],
    ['throws what is no error', 'throw { message: "no" }', 'threw', 'It threw object.'],
    [
      'throws an error that throws',
      'throw { __proto__: Error.prototype, get message() { throw 1; } }',
      'threw',
      'It threw an error that cannot be read.',
    ],
    ['loops', 'for (;;);', 'work', WORK],
    ['loops without a body', 'let at = 0; while (true) at++;', 'work', WORK],
    ['loops and catches its end', 'for (;;) try { for (;;); } catch {}', 'work', WORK],
    ['loops in callbacks', '[1].forEach(function each() { [1].forEach(each); })', 'depth', 'deep'],
    ['calls itself', 'const call = () => call(); call()', 'depth', 'deep'],
    ['makes a huge text', 'return "x".repeat(1e9)', 'work', WORK],
    ['makes a huge list', 'return new Array(1e9)', 'work', WORK],
    ['spreads without an end', 'let all = [1]; for (;;) all = [...all, ...all]', 'work', WORK],
    ['reads the clock', 'return Date.now()', 'threw', CLOCK],
    ['reads the clock anew', 'return new Date()', 'threw', CLOCK],
    ['measures time', 'return performance.now()', 'threw', CLOCK],
    ['draws a number', 'return Math.random()', 'threw', CHANCE],
    ['draws bytes', 'return crypto.randomUUID()', 'threw', CHANCE],
    ['asks the process', 'return process.env', 'threw', 'process is not defined'],
    ['asks the network', 'return fetch("http://127.0.0.1")', 'threw', 'fetch is not defined'],
    ['reads a file', 'return require("node:fs")', 'threw', 'There is no file node:fs'],
    ['makes code of text', 'return Function("return this")()', 'threw', 'EvalError'],
    [
      'makes code of text by a constructor',
      'return reading.constructor.constructor("return process")()',
      'threw',
      'EvalError',
    ],
    ['keeps something', 'globalThis.kept = 1', 'threw', 'globalThis is not defined'],
    ['keeps something in a built-in', 'Array.prototype.kept = 1', 'threw', 'not extensible'],
    ['waits', 'setTimeout(() => 1, 1)', 'threw', 'setTimeout is not defined'],
    ['asks for the language', 'return (1).toLocaleString()', 'threw', 'is not a function'],
    ['changes its input', 'reading.mintCase.decimals = 1', 'threw', 'read only'],
    ['adds to its input', 'reading.mintCase.trades.push(1)', 'threw', 'not extensible'],
    [
      'changes the wallets',
      'reading.mintCase.wallets.clear()',
      'threw',
      'What a detector reads must not be changed.',
    ],
    ['names no family', 'reading.clusters(["nobody"])', 'threw', 'nobody'],
    ['returns nothing', 'return undefined', 'garbage', 'the answer is undefined.'],
    ['returns NaN', 'return [{ confidence: NaN }]', 'garbage', 'the answer[0].confidence is NaN'],
    ['returns a function', 'return [() => 1]', 'garbage', 'the answer[0] is a function.'],
    ['returns a promise', 'return { then() {} }', 'garbage', 'the answer.then is a function.'],
    ['returns another shape', 'return [{ confidence: 1 }]', 'garbage', 'of another shape: 0 must'],
    ['returns a circle', 'const all = []; all[0] = all; return all', 'garbage', 'too deep'],
    ['returns a map', 'return new Map()', 'garbage', 'the answer is no plain object.'],
    [
      'returns too much',
      'return ["x".repeat(5_000_000)]',
      'garbage',
      'It has more than 2000000 characters.',
    ],
    [
      'returns too many',
      'return Array.from({ length: 2e5 }, () => 1)',
      'garbage',
      'more than 100000',
    ],
  ])('that %s', (_, body, failure, detail) => {
    const outcome = judged(body);
    expect(outcome).toEqual({
      kind: 'failed',
      failure,
      detail: expect.stringContaining(detail),
    });
    // The same case, the same failure.
    expect(judged(body)).toEqual(outcome);
  });
});

describe('a detector', () => {
  test('sees the case with its amounts, wallets and clusters', () => {
    const body = `
      const { mintCase, clusters } = reading;
      const { supplyRaw, mint, wallets } = mintCase;
      throw new Error([typeof supplyRaw, mint, wallets instanceof Map, clusters().all.length].join());`;
    expect(judged(body)).toMatchObject({ detail: `Error: bigint,${mintCase.mint},true,0` });
  });

  test('does not know how often it was asked', () => {
    const counting = openDetector(
      packageOf({
        'index.js': `let count = 0;
${packageThat('throw new Error(String(++count))').files[0]?.text}`,
      }),
    );
    const ask = () => counting.judge(createReading(mintCase), text);
    expect([ask(), ask()]).toEqual([ask(), ask()]);
    expect(ask()).toMatchObject({ detail: 'Error: 1' });
  });

  test('may have several files, and JSON', () => {
    const source = packageOf({
      'index.js': 'exports.detector = require("./lib/detector").detector;',
      'lib/detector.js': `const { text } = require('../data.json');
${packageThat('throw new Error(text)').files[0]?.text}`,
      'data.json': '{"text": "of a file"}',
    });
    const outcome = openDetector(source).judge(createReading(mintCase), text);
    expect(outcome).toMatchObject({ detail: 'Error: of a file' });
  });

  test('spends the same work on the same case', () => {
    const detector = openDetector(packageThat('for (let at = 0; at < 1_000; at++); return []'));
    detector.judge(createReading(mintCase), text);
    const spent = detector.spent();
    detector.judge(createReading(mintCase), text);
    expect(detector.spent()).toBe(spent);
    expect(spent).toBeGreaterThan(1_000);
    expect(spent).toBeLessThan(1_200);
  });
});

describe('a package that cannot be used', () => {
  const good = packageThat('return []').files[0]?.text ?? '';

  test.each([
    ['of another contract', good.replace('contractVersion: 1', 'contractVersion: 2'), 'version 2'],
    [
      'without a contract',
      good.replace('contractVersion: 1', 'x: 1'),
      'does not say for which version of the contract',
    ],
    ['with another name', good.replace(/name: '[^']*'/, "name: 'other'"), 'is named other'],
    ['without a reason', good.replace("reason: 'why'", "reason: ' '"), 'another shape'],
    ['without look-alikes', good.replace("lookAlikes: ['l']", 'lookAlikes: []'), 'another shape'],
    ['without a detector', 'exports.other = 1', 'It does not export a detector'],
    ['that is no code', 'exports = {', 'Unexpected token'],
    ['of ES modules', 'export const detector = 1', 'bundle it into CommonJS'],
    ['that awaits', `${good}; async function wait() {}`, 'It uses async'],
    ['with a regular expression', `${good}; const all = /(a+)+$/;`, 'It uses a regular expression'],
    ['that names the guard', `${good}; __mintscope.leave();`, 'It uses the name __mintscope'],
    ['that loops while it is loaded', 'for (;;);', 'It did not end within'],
  ])('%s is refused in one sentence', (_, code, sentence) => {
    const open = () => openDetector(packageOf({ 'index.js': code }));
    expect(open).toThrow(UsageError);
    expect(open).toThrow(sentence);
    expect(open).toThrow(/^The detector mintscope-detector-test cannot be used: [^\n]*\.$/);
  });
});

test('work that cannot be counted ends the process, and is no judgement', () => {
  const squaring = packageThat('let huge = 3n; for (;;) huge = huge * huge; ');
  const detector = openDetector(squaring, 50);
  expect(() => detector.judge(createReading(mintCase), text)).toThrow(StalledDetector);
});
