import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FeatureValue } from '../features/feature.ts';
import { givenFeatures } from '../features/read-features.ts';
import { compileExpression, isProblem } from './compile-expression.ts';

function compiled(text: string) {
  const result = compileExpression(text, 'pool_minute', 'condition');
  if (isProblem(result)) throw new Error(`${text}: ${result.message}`);
  return result;
}

function problem(text: string) {
  const result = compileExpression(text, 'pool_minute', 'condition');
  if (!isProblem(result)) throw new Error(`${text} was accepted`);
  return result;
}

function evaluate(text: string, given: Readonly<Record<string, FeatureValue | null>>) {
  return compiled(text).evaluate(givenFeatures('pool_minute', given));
}

/** CEL of the library over the same names, with what this project adds to CEL: mixed arithmetic. */
const library = new Environment()
  .registerVariable({
    name: 'pool',
    schema: { buys: 'double', sells: 'double', is_curve: 'bool', venue: 'string' },
  })
  .registerVariable({ name: 'window', schema: { closes_15m: 'list<double>' } })
  .registerOperator('double + int', (one: number, other: bigint) => one + Number(other))
  .registerOperator('double - int', (one: number, other: bigint) => one - Number(other))
  .registerOperator('double * int', (one: number, other: bigint) => one * Number(other))
  .registerOperator('int * double', (one: bigint, other: number) => Number(one) * other);

/** What the library says; an error of an evaluation is what is unknown here. */
function byLibrary(text: string, given: Readonly<Record<string, FeatureValue | null>>): unknown {
  const groups: Record<string, Record<string, unknown>> = { pool: {}, window: {} };
  for (const [name, value] of Object.entries(given)) {
    const [group, figure] = name.split('.') as [string, string];
    const figures = groups[group];
    if (value !== null && figures !== undefined) figures[figure] = value;
  }
  const expression = library.parse(text);
  const { valid } = expression.check();
  if (!valid) throw new Error(`the library refuses ${text}`);
  try {
    return expression(groups);
  } catch {
    return null;
  }
}

const literal = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.integer({ min: -200, max: 200 }).map((tenths) => (tenths / 8).toFixed(3)),
);
const double = fc.constantFrom('pool.buys', 'pool.sells');
const figure = fc.oneof(
  double,
  fc.tuple(double, fc.constantFrom('+', '-', '*'), literal).map((parts) => `(${parts.join(' ')})`),
  fc.tuple(double, fc.constantFrom('+', '-', '*'), double).map((parts) => `(${parts.join(' ')})`),
);
const comparison = fc
  .tuple(figure, fc.constantFrom('<', '<=', '>', '>='), fc.oneof(literal, figure))
  .map((parts) => parts.join(' '));
const atom = fc.oneof(
  { weight: 4, arbitrary: comparison },
  { weight: 1, arbitrary: fc.constantFrom('pool.is_curve', '!pool.is_curve', 'true', 'false') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'pool.venue == "pump"',
      'pool.venue != "pump"',
      'pool.venue in ["pump", "raydium"]',
      'pool.venue.startsWith("pu")',
      'size(pool.venue) > 4',
      'has(pool.buys)',
      'has(pool.venue)',
      'window.closes_15m.exists(x, x > 2.0)',
      'window.closes_15m.all(x, x > 1.0)',
      'window.closes_15m.exists_one(x, x > 3.0)',
      'window.closes_15m.filter(x, x > 1.5).size() > 1',
      'window.closes_15m.map(x, x * 2.0).exists(y, y > 7.0)',
      'window.closes_15m.exists(x, x > pool.buys)',
      'window.closes_15m[1] > 2.0',
      'size(window.closes_15m) >= 2',
      '7 / 2 == 3',
      '-7 / 2 == -3',
      '-7 % 3 == -1',
    ),
  },
);
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    atom,
    fc.tuple(tie('condition'), tie('condition')).map(([one, other]) => `(${one} && ${other})`),
    fc.tuple(tie('condition'), tie('condition')).map(([one, other]) => `(${one} || ${other})`),
    tie('condition').map((one) => `!(${one})`),
    fc
      .tuple(tie('condition'), tie('condition'), tie('condition'))
      .map(([one, two, three]) => `(${one} ? ${two} : ${three})`),
  ),
}));
const number = fc.integer({ min: 0, max: 160 }).map((eighths) => eighths / 8);
const values = fc.record({
  'pool.buys': fc.option(number),
  'pool.sells': fc.option(number),
  'pool.is_curve': fc.option(fc.boolean()),
  'pool.venue': fc.option(fc.constantFrom('pump', 'raydium', 'orca')),
  'window.closes_15m': fc.option(fc.array(number, { maxLength: 5 })),
});

describe('conditions', () => {
  test('are what the library makes of them, known or not', () => {
    const seen = { true: 0, false: 0, null: 0 };
    fc.assert(
      fc.property(condition, values, (text, given) => {
        const result = compileExpression(text, 'pool_minute', 'condition');
        // Only contradictions and costs are refused here, both of which CEL does not know.
        if (isProblem(result)) {
          expect(result.message).toMatch(/never be true|may cost/);
          return;
        }
        const value = result.evaluate(givenFeatures('pool_minute', given));
        expect(value).toBe(byLibrary(text, given));
        seen[String(value) as keyof typeof seen]++;
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(seen.true, seen.false, seen.null)).toBeGreaterThan(200);
  });

  test('that cannot be true are refused only if the library never finds them true', () => {
    let refused = 0;
    fc.assert(
      fc.property(condition, fc.array(values, { minLength: 10, maxLength: 10 }), (text, cases) => {
        const result = compileExpression(text, 'pool_minute', 'condition');
        if (!isProblem(result) || !result.message.includes('never')) return;
        refused++;
        for (const given of cases) expect(byLibrary(text, given)).not.toBe(true);
      }),
      { numRuns: 2_000 },
    );
    expect(refused).toBeGreaterThan(20);
  });

  test('are unknown where they divide by zero, and elsewhere are what the quotient says', () => {
    expect(evaluate('pool.buys / pool.sells > 2', { 'pool.buys': 6, 'pool.sells': 0 })).toBeNull();
    expect(evaluate('pool.buys / pool.sells > 2', { 'pool.buys': 6, 'pool.sells': 2 })).toBe(true);
    expect(evaluate('5 % 0 == 1', {})).toBeNull();
    expect(evaluate('pool.buys / pool.sells > 2 || true', { 'pool.buys': 6 })).toBe(true);
  });

  test('read each feature at most once, and none after one that decides', () => {
    const read: number[] = [];
    const { evaluate: run, features } = compiled('window.organic_buyers_5m > 3 && pool.buys > 3');
    const values = {
      at: (index: number) => {
        read.push(index);
        return 1;
      },
    };
    expect(run(values)).toBe(false);
    // The cheap one first, whatever the order of the text.
    expect(read).toHaveLength(1);
    expect(features).toHaveLength(2);
  });
});

describe('a condition is refused', () => {
  test.each([
    ['pool.liquidity > 5', 'Did you mean pool.liquidity_usd?', 0],
    ['pool.buys', 'must be true or false', 0],
    ['pool.buys > 1 && pool.venue > 3', 'cannot be compared', 17],
    ['pool.venue.matches("(a+)+$")', 'Regular expressions are not allowed', 0],
    ['pool.buys > 5 && pool.buys < 3', 'no value of pool.buys', 0],
    ['pool.buys == 5 && pool.buys != 5 && pool.buys > 5', 'no value of pool.buys', 0],
    ['wallets.bot_share > 1.5', 'no value of wallets.bot_share', 0],
    ['pool.venue == "a" && pool.venue == "b"', 'no value of pool.venue', 0],
    ['pool.is_curve && !pool.is_curve', 'no value of pool.is_curve', 0],
    ['!(pool.buys > 3 || pool.buys <= 3)', 'no value of pool.buys', 2],
    ['pool.venue == null', 'has(group.figure)', 14],
    ['pool.buys > 1e400', 'not', 12],
    ['pool.buys > 99999999999999999999', '', 12],
    ['now() > 3', 'There is no function now', 0],
    ['pool.constructor > 3', 'There is no feature pool.constructor', 0],
    ['constructor("x") > 3', 'There is no function constructor', 0],
    ['pool.buys > {"a": 1}', '', 13],
    ['window.closes_15m.exists(x, window.closes_15m.exists(y, y > x))', 'may cost 930', 0],
  ])('%s', (text, message, offset) => {
    const found = problem(text);
    expect(found.message).toContain(message);
    expect(found.offset).toBe(offset);
  });

  test('when it is too long, too deep or has too many parts', () => {
    expect(problem(`pool.buys > 1 ${' '.repeat(4_000)}`).message).toContain('too long');
    expect(problem(`${'('.repeat(500)}true${')'.repeat(500)}`).message).toContain('maxDepth');
    expect(problem(`${'!'.repeat(3_000)}true`).message).toMatch(/maxDepth|maxAstNodes/);
    const set = Array.from({ length: 300 }, (_, index) => index).join();
    expect(problem(`pool.buys in [${set}]`).message).toContain('maxListElements');
    const parts = Array.from({ length: 200 }, () => 'pool.buys > 1').join(' && ');
    expect(problem(parts).message).toContain('maxAstNodes');
  });
});
