import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitrarySlots } from '../../tests/support/arbitrary-slots.ts';
import { balanceChange, swapEvent, transactionFacts } from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { marketFacts } from '../../tests/support/followed-market.ts';
import {
  createTrader,
  fallbackSolUsd,
  launch,
  mint,
  SOL,
  second,
  TOKEN,
} from '../../tests/support/master-fixture.ts';
import { MemoryPageStore } from '../../tests/support/memory-page-store.ts';
import { firstDifference, stateImage } from '../../tests/support/state-image.ts';
import { PagePool } from '../lib/pages/page-pool.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Address } from '../model/units.ts';
import { Engine } from './engine.ts';

/** Everything about the addresses that a service answers from the engine. */
function readAll(engine: Engine, { mints, pools, wallets }: Named): unknown {
  const { walletReads } = engine;
  return {
    slot: engine.lastSlot,
    blockhash: engine.lastBlockhash,
    timeMs: engine.timeMs,
    solUsd: engine.solUsd,
    tokens: mints.map((mint) => engine.token(mint)),
    holders: mints.map((mint) => engine.topHolders(mint, 100)),
    holderCounts: mints.map((mint) => engine.holderCount(mint)),
    holderPages: mints.map((mint) => engine.holderPage({ mint, limit: 3, after: null })),
    lockedSupplies: mints.map((mint) => engine.lockedSupply(mint)),
    cases: mints.map((mint) => engine.mintCase(mint)),
    traders: mints.map((mint) => engine.walletReads.poolsOf(mint)),
    pools: pools.map((pool) => engine.pool(pool)),
    indicators: pools.map((pool) => engine.indicators(pool)),
    liquidity: pools.map((pool) => engine.lockedLiquidity(pool)),
    lpMints: pools.map((pool) => engine.lpMintOf(pool)),
    wallets: wallets.map((wallet) => engine.wallet(wallet)),
    links: wallets.map((wallet) => walletReads.recordedLinks(wallet)),
    standings: mints.map((mint) => walletReads.standings(mint, wallets)),
  };
}

interface Named {
  readonly mints: readonly Address[];
  readonly pools: readonly Address[];
  readonly wallets: readonly Address[];
}

/** The addresses that slots name, in order of first mention. */
function namedIn(slots: readonly SlotFacts[]): Named {
  const transactions = slots.flatMap((facts) => facts.transactions);
  const balances = transactions.flatMap(({ tokenBalances }) => tokenBalances);
  const swaps = transactions.flatMap(({ events }) =>
    events.filter((event) => event.kind === 'swap'),
  );
  const owners = balances.map(({ owner }) => owner).filter((owner) => owner !== null);
  return {
    mints: unique(
      [...balances, ...swaps.map(({ baseMint: mint }) => ({ mint }))].map(({ mint }) => mint),
    ),
    pools: unique(swaps.map(({ pool }) => pool)),
    wallets: unique([...transactions.flatMap(({ signers }) => signers), ...owners]),
  };
}

function unique(addresses: readonly Address[]): Address[] {
  return [...new Set(addresses)];
}

interface Played {
  /** Reads that were made while slots were applied. */
  readonly reads: number;
  /** Pages that left memory before the slot that used them ended. */
  readonly evictedWithin: number;
  readonly engine: Engine;
}

function evictedPagesOf(pages: PagePool | undefined): number {
  return pages?.use.evictedPages ?? 0;
}

interface PlayOptions {
  readonly every: number;
  readonly isFinal?: boolean;
  /** Memory of the engine that is read; it may evict pages. */
  readonly pages?: PagePool;
}

/**
 * Applies slots to two engines. While one of them applies a slot, it is read at every `every`th
 * pause, and compared with the other, which has not yet applied the slot.
 */
function playWithReads(
  slots: readonly SlotFacts[],
  { every, isFinal = false, pages }: PlayOptions,
): Played {
  const engine = new Engine({ fallbackSolUsd, ...(pages === undefined ? {} : { pages }) });
  const calm = new Engine({ fallbackSolUsd });
  let pauses = 0;
  let reads = 0;
  let evictedWithin = 0;
  for (const [index, facts] of slots.entries()) {
    const named = namedIn(slots.slice(Math.max(0, index - 3), index + 2));
    let before: unknown = null;
    const evictedBefore = evictedPagesOf(pages);
    let evictedNow = evictedBefore;
    const changes = engine.apply(facts, {
      isFinal,
      pause: (asOfLastSlot) => {
        evictedNow = evictedPagesOf(pages);
        if (pauses++ % every !== 0) return;
        before ??= readAll(calm, named);
        reads++;
        expect(asOfLastSlot(() => readAll(engine, named))).toEqual(before);
      },
    });
    evictedWithin += evictedNow - evictedBefore;
    expect(changes).toEqual(calm.apply(facts, { isFinal }));
    if (pages !== undefined) expect(pages.residentPages).toBeLessThanOrEqual(pages.use.pagesMax);
    if (!isFinal && index % 8 === 7) for (const each of [engine, calm]) each.forget(facts.slot);
  }
  expect(engine.digest()).toBe(calm.digest());
  expect(firstDifference(stateImage(engine), stateImage(calm))).toBeNull();
  return { reads, evictedWithin, engine };
}

describe('reads while a slot is applied', () => {
  test('show the slot before at every pause, and leave no trace', () => {
    let reads = 0;
    fc.assert(
      fc.property(arbitrarySlots({ minLength: 1, maxLength: 12 }), (slots) => {
        reads += playWithReads(slots, { every: 1 }).reads;
      }),
      { numRuns: 15 },
    );
    expect(reads).toBeGreaterThan(100);
  });

  test('show the slot before when an owner of tokens becomes the owner of a pool', () => {
    const vault = address('second-pool');
    const trade = createTrader();
    const held = { txIndex: 0, tokenBalances: [balanceChange(vault, 0n, 77n * TOKEN)] };
    const swap = swapEvent(
      { trader: address('B'), side: 'buy', baseRaw: TOKEN, quoteRaw: SOL },
      { pool: vault },
    );
    const becomes = [
      transactionFacts({ txIndex: 0, events: [swap] }),
      transactionFacts({ txIndex: 1 }),
    ];
    const slots = [
      second(0, launch()),
      second(1, transactionFacts(held)),
      second(2, trade('A', 'buy', SOL, 1_000n)),
      second(3, ...becomes),
    ];
    const { engine } = playWithReads(slots, { every: 1 });
    // The vault is no holder any more, but it is still listed, once.
    const listed = engine.topHolders(mint, 10).filter(({ owner }) => owner === vault);
    expect(listed.map(({ balanceRaw }) => balanceRaw)).toEqual([77n * TOKEN]);
  });

  test('show the slot before in a market with launches and fraud', () => {
    const { reads } = playWithReads(marketFacts(600), { every: 211 });
    expect(reads).toBeGreaterThan(20);
  });

  test('show the slot before while pages leave memory within the slot', () => {
    for (const isFinal of [false, true]) {
      const pages = new PagePool({ pagesMax: 40, store: new MemoryPageStore() });
      const facts = marketFacts(isFinal ? 150 : 400);
      const { evictedWithin } = playWithReads(facts, { every: 97, isFinal, pages });
      expect(evictedWithin).toBeGreaterThan(1_000);
    }
  });

  test('show the slot before a final slot too, of which nothing can be undone afterwards', () => {
    const { reads, engine } = playWithReads(marketFacts(60), { every: 41, isFinal: true });
    expect(reads).toBeGreaterThan(10);
    expect(engine.undoableSlots).toBe(0);
  });
});
