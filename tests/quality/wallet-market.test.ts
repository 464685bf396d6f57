import { describe, expect, test } from 'vitest';
import { createSimulation } from '../../simulator/simulation.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import type { Address } from '../../src/model/units.ts';
import { runWalletMarket } from './wallet-market.ts';

const PLAN = {
  preset: 'launches',
  seed: 'short',
  judgedAfterDays: 0.02,
  periods: 1,
  periodDays: 0.01,
} as const;
const DAY_MS = 86_400_000;

describe('a market for judging wallets', () => {
  const run = runWalletMarket(PLAN);

  test('gives each wallet the transaction count that its venues recorded', () => {
    const expected = tradesOf(PLAN.judgedAfterDays);
    expect(run.wallets.length).toBeGreaterThan(50);
    const counted = new Map(run.wallets.map(({ address, trades }) => [address, trades]));
    expect(sorted(counted)).toEqual(sorted(expected));
  });

  test('measures after the judgement only positions begun after it', () => {
    const [episodes = []] = run.episodes;
    expect(run.episodes.length).toBe(1);
    expect(episodes.length).toBeGreaterThan(10);
    const buyers = new Set(buyersAfter(PLAN.judgedAfterDays, PLAN.periodDays));
    for (const { wallet, mint } of episodes) expect(buyers).toContain(`${wallet} ${mint}`);
  });
});

/** Transactions in which a labelled wallet traded, according to the venues. */
function tradesOf(days: number): Map<Address, number> {
  const counts = new Map<Address, number>();
  const { labels } = walk(0, days, (traders) => {
    for (const trader of new Set(traders.map(([wallet]) => wallet))) {
      counts.set(trader, (counts.get(trader) ?? 0) + 1);
    }
  });
  return new Map([...counts].filter(([wallet]) => labels.wallets.has(wallet)));
}

function buyersAfter(afterDays: number, days: number): string[] {
  const pairs: string[] = [];
  walk(afterDays, days, (traders) => pairs.push(...traders.map((pair) => pair.join(' '))));
  return pairs;
}

/** Each transaction's traders with the mints they traded, after this many days. */
function walk(
  afterDays: number,
  days: number,
  see: (traders: readonly (readonly [Address, Address])[]) => void,
) {
  const config = { ...PRESETS.launches, seed: PLAN.seed };
  const simulation = createSimulation(config);
  const fromMs = config.startMs + afterDays * DAY_MS;
  while (simulation.world.nowMs < fromMs + days * DAY_MS) {
    const isSeen = simulation.world.nowMs >= fromMs;
    const step = simulation.step();
    if (!isSeen || step === null) continue;
    for (const { facts } of step.block.transactions) {
      see(
        facts.flatMap((fact) =>
          fact.kind === 'trade' && fact.trader !== null ? [[fact.trader, fact.baseMint]] : [],
        ),
      );
    }
  }
  return simulation.truth;
}

function sorted(counts: ReadonlyMap<Address, number>): string[] {
  return [...counts].map(([wallet, count]) => `${wallet} ${count}`).sort();
}
