import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FraudRun } from '../fraud-run.ts';
import { ablationReport } from './ablation-report.ts';
import { ablationRow } from './compare-runs.ts';
import { ABLATIONS } from './registry.ts';

const attack = (
  difficulty: 'easy' | 'hard',
  jaccard: number | null,
  confidence = 0.8,
): FraudRun => ({
  plan: { type: 'wash_volume', difficulty, seed: 'training-1' },
  ...{ isRaw: false, transactions: 1, evaluationsMs: [], seconds: 1, isCovered: false },
  found: [{ fraudType: 'wash_volume', confidence, rawScore: confidence }],
  match: jaccard === null ? null : { jaccard, roles: 1, rolesRight: 1, delaySlots: 0, delayMs: 0 },
});
const innocent = (confidence: number): FraudRun => ({
  ...attack('easy', null, confidence),
  plan: { type: 'N1', difficulty: null, seed: 'training-1' },
});

describe('what an amendment adds', () => {
  test('is counted run by run, beside the means of both', () => {
    const whole = [attack('easy', 1), attack('hard', 0.9), innocent(0.2)];
    const without = [attack('easy', 1), attack('hard', null, 0.4), innocent(0.5)];
    const row = ablationRow({ name: 'one', without: 'it' }, whole, without);
    expect(row).toMatchObject({
      ...{ runs: 3, changed: 2, found: [1, 0], jaccard: 1, innocentFound: 1 },
      differences: expect.arrayContaining(['hard wash_volume: found 1.00 to 0.00']),
    });
    expect(ablationRow({ name: 'one', without: 'it' }, whole, whole)).toMatchObject({
      ...{ changed: 0, differences: [], found: [1, 1], jaccard: 0.95 },
    });
  });

  test('is said to be nothing where no run changes', () => {
    const whole = [attack('easy', 1)];
    const rows = ['whole', 'one'].map((name) => ablationRow({ name, without: '' }, whole, whole));
    expect(ablationReport(rows, ['training-1'])).toContain('`one`: nothing changes.');
  });

  test('says which scenarios were played', () => {
    const row = ablationRow({ name: 'one', without: '' }, [], []);
    const report = ablationReport([row], ['training-1'], ['N1', 'fake_dump']);
    expect(report).toContain('each played for `N1`, `fake_dump`: 0 runs');
    expect(ablationReport([row], ['training-1'])).toContain('played for every attack');
  });
});

test('the edits of all amendments still fit the files that they name', () => {
  const misfits = ABLATIONS.flatMap(({ name, edits }) =>
    edits
      .filter(({ file, find }) => readFileSync(file, 'utf8').split(find).length !== 2)
      .map(({ file }) => `${name}: ${file}`),
  );
  expect(misfits).toEqual([]);
});
