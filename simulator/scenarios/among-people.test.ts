import { describe, expect, it } from 'vitest';
import { ScenarioRecord, sumOf } from '../../tests/support/scenario-record.ts';
import type { SimulatedBlock } from '../chain/simulated-transaction.ts';
import { createSimulation } from '../simulation.ts';
import { PRESETS } from '../simulation-presets.ts';
import {
  type AttackLabel,
  BENIGN_FAMILIES,
  FRAUD_TYPES,
  type FraudRole,
  type FraudType,
} from '../truth/labels.ts';

const SLOTS = 3_000;
const SUPPLY = 10n ** 15n;

/** A market with its crowd, snipers and copy traders, in which attacks are frequent. */
function playMarket() {
  const simulation = createSimulation({
    ...PRESETS.market,
    seed: 'attacks among people',
    votesPerBlock: 0,
    launchesPerHour: 60,
    attacksPerHour: rates(FRAUD_TYPES, 25),
    benignPerHour: rates(BENIGN_FAMILIES, 0),
  });
  const blocks: SimulatedBlock[] = [];
  for (let slot = 0; slot < SLOTS; slot++) {
    const step = simulation.step();
    if (step?.isCanonical === true) blocks.push(step.block);
  }
  return { record: new ScenarioRecord({ blocks }), labels: simulation.truth.labels };
}

function rates<Name extends string>(names: readonly Name[], rate: number): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, rate])) as Record<Name, number>;
}

describe('attacks in a market full of people', () => {
  const { record, labels } = playMarket();
  const ended = labels.attacks.flatMap((label) =>
    label.endSlot === null ? [] : [{ ...label, endSlot: label.endSlot }],
  );
  const of = (type: FraudType) => ended.filter((label) => label.type === type);
  const wallets = ({ roles }: AttackLabel, ...wanted: FraudRole[]) =>
    new Set([...roles].flatMap(([wallet, role]) => (wanted.includes(role) ? [wallet] : [])));

  it('are fully decoded, with at least one finished attack of each type', () => {
    expect(record.problems).toEqual([]);
    expect(new Set(ended.map(({ type }) => type))).toEqual(new Set(FRAUD_TYPES));
  });

  it('give a bundle 5 % of the supply by the second slot, despite other snipers', () => {
    for (const label of of('traditional_bundle')) {
      const held = record.held(wallets(label, 'bundler'), label.mint, label.startSlot + 2);
      expect(held * 20n).toBeGreaterThanOrEqual(SUPPLY);
    }
  });

  it('give a late bundle 3 % of the supply', () => {
    for (const label of of('late_bundle')) {
      const held = record.held(wallets(label, 'bundler'), label.mint, label.endSlot);
      expect((held * 100n) / SUPPLY).toBeGreaterThanOrEqual(3n);
    }
  });

  it.each(['bundle_and_launder', 'fake_dump'] as const)('let %s regain the sold tokens', (type) => {
    for (const label of of(type)) {
      const crew = wallets(label, 'attacker', 'bundler');
      const trades = record
        .swaps(label.mint)
        .filter(({ trader, slot }) => crew.has(trader) && slot <= label.endSlot)
        .filter(({ slot }) => slot >= label.startSlot);
      const raw = (side: 'buy' | 'sell') =>
        sumOf(
          trades.filter((trade) => trade.side === side),
          ({ baseRaw }) => baseRaw,
        );
      expect(raw('sell')).toBeGreaterThan(0n);
      expect(raw('buy') * 10n).toBeGreaterThanOrEqual(raw('sell') * 7n);
    }
  });

  it('leave no tokens with wash traders', () => {
    for (const label of of('wash_volume')) {
      expect(record.held(wallets(label, 'unknown'), label.mint, label.endSlot)).toBe(0n);
    }
  });

  it('let a crew sell most of what its wallets held', () => {
    for (const label of of('coordinated_exit')) {
      const crew = wallets(label, 'unknown', 'intermediary');
      const before = record.held(crew, label.mint, label.startSlot - 1);
      const after = record.held(crew, label.mint, label.endSlot);
      expect(before).toBeGreaterThan(0n);
      if (label.knobs.liquidityExit !== 'one_sided') expect(after * 10n).toBeLessThan(before * 4n);
    }
  });
});
