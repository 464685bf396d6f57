import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ScenarioRecord } from '../../../tests/support/scenario-record.ts';
import { runAttack, runBenign, type ScenarioRun } from '../../../tests/support/scenario-stage.ts';
import { blockText } from '../../faces/format-block.ts';
import { TRANSACTION_BYTES_MAX, writeWire } from '../../faces/write-wire.ts';
import { formatLabels } from '../../truth/format-labels.ts';
import { BENIGN_FAMILIES, type Difficulty, FRAUD_TYPES } from '../../truth/labels.ts';
import { ATTACKS, LOOK_ALIKES } from './registry.ts';

const DIFFICULTIES: readonly Difficulty[] = ['easy', 'medium', 'hard'];
/** Number of seeds in the sweep; more when run manually. */
const SWEEP_SEEDS = Number(process.env.MINTSCOPE_SCENARIO_SEEDS ?? 2);
const ATTACK_CASES = FRAUD_TYPES.flatMap((type) =>
  DIFFICULTIES.map((difficulty) => [type, difficulty] as const),
);

function digestOf({ blocks, labels }: ScenarioRun): string {
  const hash = createHash('sha256');
  for (const block of blocks) hash.update(blockText(block, 'json'));
  return hash.update(formatLabels(labels)).digest('hex');
}

describe('the registry of scenarios', () => {
  it('has every fraud type and every family, each with a scenario of its own', () => {
    expect(Object.keys(ATTACKS)).toEqual(FRAUD_TYPES);
    expect(Object.keys(LOOK_ALIKES)).toEqual(BENIGN_FAMILIES);
    const scenarios = [...Object.values(ATTACKS), ...Object.values(LOOK_ALIKES)];
    expect(new Set<unknown>(scenarios).size).toBe(22);
  });
});

describe('the same seed', () => {
  it.each(FRAUD_TYPES)('gives the same bytes and labels for %s, unlike another seed', (type) => {
    const digest = digestOf(runAttack(type, 'hard', 'bytes'));
    expect(digestOf(runAttack(type, 'hard', 'bytes'))).toBe(digest);
    expect(digestOf(runAttack(type, 'hard', 'other bytes'))).not.toBe(digest);
  });

  it('gives the same bytes on a chain with forks and skipped slots', () => {
    const rough = { forkRate: 0.05, skipRate: 0.05 };
    const run = () => digestOf(runAttack('fake_dump', 'medium', 'rough', rough));
    expect(run()).toBe(run());
  });
});

describe.each(ATTACK_CASES)('the label of %s, %s', (type, difficulty) => {
  const run = runAttack(type, difficulty, 'labels');
  const record = new ScenarioRecord(run);
  const { attack, labels } = run;
  if (attack === null) throw new Error('no label');

  it('lists only wallets that are on chain, all of them bots in the ground truth', () => {
    const { addresses } = record;
    expect([...attack.roles.keys()].filter((wallet) => !addresses.has(wallet))).toEqual([]);
    expect(attack.roles.size).toBeGreaterThanOrEqual(3);
    for (const wallet of attack.roles.keys()) {
      expect(labels.wallets.get(wallet)?.automation).toBe('bot');
    }
  });

  it('lists every wallet that trades the token for the attack', () => {
    const traders = new Set(record.swaps(attack.mint).map(({ trader }) => trader));
    for (const trader of traders) {
      const behaviour = labels.wallets.get(trader)?.behaviour ?? '';
      expect(behaviour.startsWith(type)).toBe(attack.roles.has(trader));
    }
  });

  it('contains the seed, the knobs and slots in order', () => {
    expect(attack.seed).toBe('labels');
    expect(attack.knobs).toMatchObject({ difficulty, fundingHops: run.knobs?.fundingHops });
    const { fundedFromSlot, startSlot, endSlot } = attack;
    expect(fundedFromSlot ?? 0).toBeLessThanOrEqual(startSlot);
    expect(startSlot).toBeLessThanOrEqual(endSlot ?? 0);
  });
});

describe('every transaction', () => {
  it.each(ATTACK_CASES)('of %s, %s, is valid on the network', (type, difficulty) => {
    expect(longestOf(runAttack(type, difficulty, 'labels'))).toBeLessThanOrEqual(
      TRANSACTION_BYTES_MAX,
    );
  });

  it.each(BENIGN_FAMILIES)('of %s is valid on the network', (family) => {
    expect(longestOf(runBenign(family, 'sizes'))).toBeLessThanOrEqual(TRANSACTION_BYTES_MAX);
  });
});

function longestOf({ blocks }: ScenarioRun): number {
  return Math.max(
    ...blocks.flatMap(({ transactions }) => transactions.map((one) => writeWire(one).length)),
  );
}

describe('on a chain with forks and skipped slots', () => {
  it.each(ATTACK_CASES)('%s, %s, finishes and decodes', (type, difficulty) => {
    const run = runAttack(type, difficulty, 'forks', { forkRate: 0.03, skipRate: 0.05 });
    expect(run.isOver).toBe(true);
    expect(new ScenarioRecord(run).problems).toEqual([]);
    expect(run.attack?.endSlot ?? null).not.toBeNull();
  });
});

describe.each(Array.from({ length: SWEEP_SEEDS }, (_, seed) => seed))('seed %i', (seed) => {
  const difficulty = DIFFICULTIES[seed % DIFFICULTIES.length] ?? 'easy';

  it.each(FRAUD_TYPES)('%s finishes and is fully decoded', (type) => {
    const run = runAttack(type, difficulty, `sweep ${seed}`);
    expect(run.isOver).toBe(true);
    expect(run.labels.attacks).toHaveLength(1);
    expect(new ScenarioRecord(run).problems).toEqual([]);
  });

  it.each(BENIGN_FAMILIES)('%s finishes and is fully decoded', (family) => {
    const run = runBenign(family, `sweep ${seed}`);
    expect(run.isOver).toBe(true);
    expect(run.labels.benign).toHaveLength(1);
    expect(run.labels.attacks).toEqual([]);
    expect(new ScenarioRecord(run).problems).toEqual([]);
  });
});
