import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { faultOf, verdictOf } from './judge-mutant.ts';
import { noLongerFits, plant } from './mutant.ts';
import { EQUIVALENT, MUTANTS } from './registry.ts';

describe('the planted defects', () => {
  test('are at least 120, each with a unique name and a harm', () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(120);
    const names = [...MUTANTS, ...EQUIVALENT.map(({ mutant }) => mutant)].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, harm } of MUTANTS) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(harm).toMatch(/^[A-Z0-9].{15,}\.$/);
    }
  });

  test('still fit the files that they name', () => {
    const misfits = MUTANTS.filter((mutant) => plant(readText(mutant.file), mutant) === null);
    expect(misfits.map((mutant) => noLongerFits(mutant, readText(mutant.file)))).toEqual([]);
  });

  test('name existing tests', () => {
    const tests = new Set(MUTANTS.flatMap((mutant) => mutant.tests));
    expect([...tests].filter((path) => !existsSync(path))).toEqual([]);
    expect(MUTANTS.filter((mutant) => mutant.tests.length === 0)).toEqual([]);
  });
});

describe('a defect', () => {
  const mutant = {
    name: 'one',
    file: 'a.ts',
    find: 'x > 1',
    replace: 'x >= 1',
    tests: [],
    harm: '',
  };

  test('is planted where its text occurs once', () => {
    expect(plant('if (x > 1) y', mutant)).toBe('if (x >= 1) y');
  });

  test('is refused where its text is missing, ambiguous or unchanged', () => {
    expect(plant('if (x > 2) y', mutant)).toBeNull();
    expect(noLongerFits(mutant, 'x > 2')).toBe(
      'mutant one no longer fits: its text does not occur in a.ts.',
    );
    expect(plant('x > 1 || x > 1', mutant)).toBeNull();
    expect(noLongerFits(mutant, 'x > 1 || x > 1')).toContain('occurs 2 times');
    expect(plant('x > 1', { ...mutant, replace: 'x > 1' })).toBeNull();
  });
});

describe('a run of tests', () => {
  const passed = { passed: 3, failed: [], unloaded: [], isTimedOut: false, seconds: 1 };

  test('kills a defect only where a test failed', () => {
    const failed = { ...passed, failed: ['adds up'] };
    expect(verdictOf(failed, {})).toEqual({ kind: 'killed', by: 'adds up', seconds: 1 });
    expect(verdictOf(passed, {}).kind).toBe('survived');
  });

  test('does not kill a defect that keeps the tests from loading', () => {
    const broken = { ...passed, passed: 0, unloaded: ['a.test.ts: SyntaxError'] };
    expect(verdictOf(broken, {})).toEqual({
      kind: 'survived',
      reason: 'no test failed, but a.test.ts: SyntaxError',
      seconds: 1,
    });
  });

  test('without an end kills only a defect that is declared as such a wait', () => {
    const endless = { ...passed, isTimedOut: true };
    expect(verdictOf(endless, {}).kind).toBe('survived');
    expect(verdictOf(endless, { isKilledByTimeout: true }).kind).toBe('killed');
  });

  test('without a defect must pass, and must run at least one test', () => {
    expect(faultOf(passed)).toBeNull();
    expect(faultOf({ ...passed, failed: ['adds up'] })).toContain('adds up');
    expect(faultOf({ ...passed, passed: 0 })).toBe('it names no test that runs');
    expect(faultOf({ ...passed, isTimedOut: true })).toContain('do not end');
  });
});

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
