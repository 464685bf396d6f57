import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { noLongerFits, plant } from './mutant.ts';
import { EQUIVALENT, MUTANTS } from './registry.ts';

describe('the planted defects', () => {
  test('are 120 at least, each with a name of its own and a harm', () => {
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

  test('name tests that are there', () => {
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

  test('is refused where its text is gone, ambiguous or unchanged', () => {
    expect(plant('if (x > 2) y', mutant)).toBeNull();
    expect(noLongerFits(mutant, 'x > 2')).toBe(
      'mutant one no longer fits: its text does not occur in a.ts.',
    );
    expect(plant('x > 1 || x > 1', mutant)).toBeNull();
    expect(noLongerFits(mutant, 'x > 1 || x > 1')).toContain('occurs 2 times');
    expect(plant('x > 1', { ...mutant, replace: 'x > 1' })).toBeNull();
  });
});

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
