import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeBlock } from '../../../src/decoders/decode-block.ts';
import { transfersOf } from '../../../tests/support/block-readings.ts';
import { PeopleMarket, SOL } from '../../../tests/support/people-market.ts';
import type { SimulatedBlock } from '../../chain/simulated-transaction.ts';
import { toChainBlock } from '../../faces/to-chain-block.ts';
import { PRESETS } from '../../simulation-presets.ts';
import { BEHAVIOURS } from '../behaviour-names.ts';

const SLOTS = 2_000;
const LAUNCHES = 30;

describe('all kinds of people, thirty launches in two thousand slots with forks', () => {
  const market = new PeopleMarket('everybody', undefined, { forkRate: 0.01 });
  const { ledger } = market.world.chain;
  market.planLaunches(LAUNCHES, SLOTS * 0.7, [0, 1]);
  const lamportsAtFirst = lamportsIn(market);
  market.run(SLOTS);
  const transactions = market.blocks.flatMap((block) => block.transactions);

  test('are fully decoded: nothing is unknown, malformed or quarantined', () => {
    const decoded = market.blocks.map((block) => decodeBlock(toChainBlock(block)));
    const outcomes = decoded.flatMap((facts) => Object.values(facts.outcomes));
    const sumOf = (name: 'unknown' | 'malformed' | 'quarantined'): number =>
      outcomes.reduce((sum, outcome) => sum + outcome[name], 0);
    const swaps = decoded
      .flatMap((facts) => facts.transactions)
      .flatMap(({ events }) => events)
      .filter(({ kind }) => kind === 'swap');
    const trades = transactions
      .flatMap(({ facts }) => facts)
      .filter(({ kind }) => kind === 'trade');
    expect(trades.length).toBeGreaterThan(5_000);
    expect(swaps).toHaveLength(trades.length);
    expect(decoded.flatMap((facts) => facts.problems)).toEqual([]);
    expect([sumOf('unknown'), sumOf('malformed'), sumOf('quarantined')]).toEqual([0, 0, 0]);
  });

  test('preserve all lamports except the transaction fees', () => {
    const fees = transactions.reduce((sum, { feeLamports }) => sum + feeLamports, 0n);
    expect(lamportsIn(market)).toBe(lamportsAtFirst - fees);
  });

  test('hold as many tokens of each mint as its supply', () => {
    const held = new Map<string, bigint>();
    for (const [, { token }] of ledger.entries()) {
      if (token === null) continue;
      held.set(token.mint, (held.get(token.mint) ?? 0n) + token.amountRaw + token.withheldRaw);
    }
    for (const { mint } of market.launches) {
      if (ledger.get(mint).mint === null) continue;
      expect(held.get(mint)).toBe(ledger.mint(mint).supplyRaw);
    }
  });

  test('appear on chain with every kind of people, each under its label', () => {
    const traders = new Set<string>();
    for (const { facts } of transactions) {
      for (const fact of facts) {
        if (fact.kind === 'trade' && fact.trader !== null) traders.add(fact.trader);
      }
    }
    const { wallets } = market.world.truth.labels;
    const seen = new Set(
      [...wallets].filter(([wallet]) => traders.has(wallet)).map(([, { behaviour }]) => behaviour),
    );
    const { people } = PRESETS.market;
    expect(seen).toEqual(new Set(BEHAVIOURS.filter((name) => people[name] > 0)));
  });

  test('have tokens that die, and tokens that migrate', () => {
    const migrated = transactions.flatMap(({ facts }) =>
      facts.filter(({ kind }) => kind === 'migrate'),
    );
    expect(migrated.length).toBeGreaterThanOrEqual(1);
    expect(migrated.length).toBeLessThan(LAUNCHES / 2);
  });

  test('have failed transactions, like a real chain', () => {
    const share = market.world.truth.failed / market.world.truth.transactions;
    expect(share).toBeGreaterThan(0.01);
    expect(share).toBeLessThan(0.35);
  });
});

describe('a crowd', () => {
  test('does the same for the same seed, byte for byte, and something else for another', () => {
    const digestOf = (seed: string): string => {
      const market = new PeopleMarket(seed, undefined, { forkRate: 0.02 });
      market.planLaunches(6, 200, [0.3, 0.9]);
      return digest(market.run(400).blocks);
    };
    const [first, second, other] = [digestOf('same'), digestOf('same'), digestOf('other')];
    expect(first).toBe(second);
    expect(first).not.toBe(other);
  });

  test('sells in a panic what it would have held', () => {
    const sold = (panics: boolean): number => {
      const market = new PeopleMarket('panic', { casual: 150 });
      market.planLaunch(100, 0.9, SOL);
      market.run(300);
      const before = salesIn(market);
      if (panics) market.crowd.panic(0.7);
      return salesIn(market.run(150)) - before;
    };
    expect(sold(true)).toBeGreaterThan(3 * sold(false) + 10);
  });

  test('arrives in a burst when a token attracts attention', () => {
    const bought = (isDrawn: boolean): number => {
      const market = new PeopleMarket('shock', { casual: 150 });
      market.planLaunch(100, 0.2, SOL);
      market.run(200);
      const [token] = market.launches;
      if (isDrawn && token !== undefined) {
        market.crowd.interestIn(token.mint)?.addArrivals({ count: 60, fadeMs: 30_000 });
      }
      const before = market.blocks.length;
      market.run(200);
      return market.blocks
        .slice(before)
        .flatMap(({ transactions }) => transactions)
        .filter(({ facts }) => facts.some((fact) => fact.kind === 'trade' && fact.side === 'buy'))
        .length;
    };
    expect(bought(true)).toBeGreaterThan(bought(false) + 40);
  });

  test('forgets tokens without trades, and all data about them', () => {
    const market = new PeopleMarket('forgets', { casual: 30 }, { keepsBlocks: false });
    market.planLaunches(10, 50, [0, 0.1]);
    market.run(100);
    expect(market.crowd.tokensAlive).toBe(10);
    market.run(6_000);
    expect(market.crowd.tokensAlive).toBe(0);
  });

  test('creates no lamports: newcomers are paid by transfer', () => {
    const market = new PeopleMarket('paid', { freshUser: 20 });
    market.planLaunch(100, 0.6, SOL);
    market.run(300);
    const paid = new Set(
      market.blocks
        .flatMap(({ transactions }) => transactions)
        .flatMap(transfersOf)
        .map(({ to }) => to),
    );
    for (const wallet of market.walletsOf('freshUser')) {
      const { lamports } = market.world.chain.ledger.get(wallet);
      expect(lamports === 0n || paid.has(wallet)).toBe(true);
    }
  });
});

function lamportsIn({ world }: PeopleMarket): bigint {
  let sum = 0n;
  for (const [, { lamports }] of world.chain.ledger.entries()) sum += lamports;
  return sum;
}

function salesIn({ blocks }: PeopleMarket): number {
  return blocks
    .flatMap(({ transactions }) => transactions)
    .flatMap(({ facts }) => facts)
    .filter((fact) => fact.kind === 'trade' && fact.side === 'sell').length;
}

function digest(blocks: readonly SimulatedBlock[]): string {
  const hash = createHash('sha256');
  for (const block of blocks) {
    const text = JSON.stringify(block, (_, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    hash.update(text);
  }
  return hash.digest('hex');
}
