import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { plansOf } from '../fraud-quality.ts';
import { type FraudRun, nameOf } from '../fraud-run.ts';
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
      ...{ runs: 3, changed: 2, scenarios: ['wash_volume', 'N1'], seeds: ['training-1'] },
      whole: { found: [1, 1], jaccard: 0.95, innocentFound: 0 },
      left: { found: [1, 0], jaccard: 1, innocentFound: 1 },
      differences: expect.arrayContaining(['hard wash_volume: found 1.00 to 0.00']),
    });
    expect(ablationRow({ name: 'one', without: 'it' }, whole, whole)).toMatchObject({
      ...{ changed: 0, differences: [], whole: row.whole, left: row.whole },
    });
  });

  test('is said to be nothing where no run changes', () => {
    const whole = [attack('easy', 1)];
    const rows = [ablationRow({ name: 'one', without: '' }, whole, whole)];
    expect(ablationReport(rows)).toContain('`one`: nothing changes.');
  });

  test('is said in innocent runs that are found without it', () => {
    const row = ablationRow({ name: 'one', without: '' }, [innocent(0.2)], [innocent(0.5)]);
    expect(ablationReport([row])).toContain('`one`: innocent runs found 0 to 1.');
  });

  test('is reported of several runs in one table, each row with its scenarios and seeds', () => {
    const ofSeed = (run: FraudRun, seed: string): FraudRun => ({
      ...run,
      plan: { ...run.plan, seed },
    });
    const one = [attack('easy', 1), innocent(0.2)];
    const other = [501, 502].map((number) => ofSeed(attack('hard', 1), `training-${number}`));
    const without = [attack('hard', null), attack('hard', 0.5)];
    // Rows of earlier runs come from their JSON.
    const rows = JSON.parse(
      JSON.stringify([
        ablationRow({ name: 'one', without: 'it' }, one, one),
        ablationRow({ name: 'other', without: 'that' }, other, without),
      ]),
    );
    const lines = ablationReport(rows)
      .split('\n')
      .filter((line) => line.startsWith('| o'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(lines.map((cells) => cells.slice(1, -1))).toEqual([
      ['one', 'it', '`wash_volume`, `N1`', '`training-1`'],
      ['other', 'that', '`wash_volume`', '`training-501` … `training-502`'],
      ['one', '2', '0', '1.000, 1.000', '-, -', '1.000, 1.000', '0, 0'],
      ['other', '2', '2', '-, -', '1.000, 0.500', '1.000, 0.500', '0, 0'],
    ]);
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

test('what amendments are measured on exists', () => {
  const known = new Set(plansOf('training', 1).map(nameOf));
  const unknown = ABLATIONS.flatMap(({ scenarios }) =>
    scenarios.filter((name) => !known.has(name)),
  );
  expect(unknown).toEqual([]);
});
