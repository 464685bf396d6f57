import { describe, expect, test } from 'vitest';
import { GUARD, instrument } from './instrument.ts';

interface Counted {
  readonly value: unknown;
  readonly turns: number;
  readonly calls: number;
  /** Calls that did not return. */
  readonly open: number;
  readonly depthMost: number;
}

/** Runs instrumented code, with a guard that only counts. */
function run(text: string): Counted {
  const instrumented = instrument(text);
  if (instrumented.kind === 'refused') throw new Error(instrumented.problem);
  const counts = { turns: 0, calls: 0, open: 0, depthMost: 0 };
  const same = (value: unknown) => value;
  const guard = {
    turn: () => counts.turns++,
    enter() {
      counts.calls++;
      counts.open++;
      counts.depthMost = Math.max(counts.depthMost, counts.open);
    },
    leave: () => counts.open--,
    ...{ listed: same, passed: same, copied: same },
  };
  const made = new Function(GUARD, `'use strict'; ${instrumented.code}`);
  return { value: made(guard), ...counts };
}

describe('instrumented code', () => {
  test.each([
    [
      'loops of all kinds',
      'let n = 0; for (let i = 0; i < 3; i++) n++; while (n < 5) n++; do n++; while (n < 7); return n',
      7,
      7,
    ],
    ['loops without a body', 'let n = 0; for (; n < 3; n++); return n', 3, 3],
    [
      'loops over members',
      'let n = 0; for (const one of [1, 2]) n += one; for (const key in { a: 1 }) n += key.length; return n',
      4,
      3,
    ],
    [
      'loops with labels',
      'let n = 0; all: for (;;) for (;;) { if (n++ > 2) break all; continue all; } return n',
      4,
      8,
    ],
    ['a loop as a branch', 'let n = 0; if (n > 0) n = 9; else while (n < 2) n++; return n', 2, 2],
    [
      'nested loops without braces',
      'let n = 0; for (const a of [1, 2]) for (const b of [1, 2]) n += a * b; return n',
      9,
      6,
    ],
  ])('counts each turn of %s', (_, code, value, turns) => {
    expect(run(code)).toMatchObject({ value, turns });
  });

  test.each([
    ['a declaration', 'function two() { return 2; } return two()', 2, 1],
    ['an arrow', 'return ((one) => one + 1)(1)', 2, 1],
    ['an arrow that gives an object', 'return ((one) => ({ one }))(1).one', 1, 1],
    ['an arrow of an arrow', 'return ((one) => (other) => one + other)(1)(2)', 3, 2],
    ['an arrow of a sequence', 'return ((one) => (one, 2))(1)', 2, 1],
    [
      'a method, a getter and a constructor',
      'class A { #n; constructor(n) { this.#n = n; } get n() { return this.#n; } m() { return this.n; } } return new A(3).m()',
      3,
      3,
    ],
    [
      'a derived class',
      'class A { n = 1; } class B extends A { constructor() { super(); this.n++; } } return new B().n',
      2,
      1,
    ],
    ['an empty function', 'return (function () {})()', undefined, 1],
    ['a default', 'return ((one = (() => 4)()) => one)()', 4, 2],
    ['a generator', 'function* all() { yield 1; yield 2; } return [...all()].length', 2, 1],
    [
      'a function that throws',
      'try { (() => { throw 5; })(); } catch (error) { return error; }',
      5,
      1,
    ],
    [
      'a parameter that is declared again',
      'return (function (a) { var a = a + 1; return a; })(1)',
      2,
      1,
    ],
  ])('counts each call of %s, and its end', (_, code, value, calls) => {
    expect(run(code)).toMatchObject({ value, calls, open: 0 });
  });

  test('counts how deep calls are', () => {
    const code = 'const down = (n) => (n === 0 ? 0 : down(n - 1)); return down(9)';
    expect(run(code)).toMatchObject({ value: 0, calls: 10, depthMost: 10, open: 0 });
  });

  test('keeps spreads, comments and texts', () => {
    const code = `// for (;;)
const all = [...[1, 2], ...new Set([3])]; /* while */
const { a, ...rest } = { a: 1, ...{ b: 2 } };
return Math.max(...all) + rest.b + 'for (;;)'.length + \`\${all.map((one) => one)}\`.length`;
    expect(run(code).value).toBe(3 + 2 + 8 + 5);
  });

  test('is made of code that is nested deep', () => {
    const deep = `return ${'('.repeat(500)}1${')'.repeat(500)}`;
    expect(run(deep).value).toBe(1);
  });
});
