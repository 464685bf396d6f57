import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildSwap } from '../../tests/support/build-records.ts';
import { type ExpectedTrade, expectedPage, swapAt } from '../../tests/support/expected-trades.ts';
import { inOrder, listedSwaps } from '../../tests/support/listed-swaps.ts';
import {
  arbitraryStep,
  MINTS,
  POOLS,
  TradeChain,
  type TradeStep,
  WALLETS,
} from '../../tests/support/trade-chain.ts';
import type { PricedSwap } from '../model/derived.ts';
import type { Trade, TradePosition, TradeQuery } from '../model/trade.ts';
import { asSlot, asUsdNano } from '../model/units.ts';
import type { SwapRange } from '../store/reads/trade-sql.ts';
import { CurrentTrades } from './current-trades.ts';
import { CurrentTradeLabels } from './trade-labels.ts';
import { UnwrittenRows } from './unwritten-rows.ts';

const ANY = {
  ...{ mint: null, pool: null, wallet: null, fromMs: null, toMs: null, side: null },
  ...{ valueUsdMin: null, class: 'all', view: 'all', before: null, limit: 3 },
} as const satisfies TradeQuery;

const query: fc.Arbitrary<TradeQuery> = fc
  .record({
    scope: fc.constantFrom<Partial<TradeQuery>>(
      ...MINTS.map((mint) => ({ mint })),
      ...POOLS.map((pool) => ({ pool })),
      ...WALLETS.flatMap((wallet) => [{ wallet }, { wallet, mint: MINTS[1] }]),
    ),
    view: fc.constantFrom('all' as const, 'user' as const),
    side: fc.constantFrom(null, null, null, 'buy' as const, 'sell' as const),
    valueUsdMin: fc.constantFrom(null, null, null, asUsdNano(4n)),
    class: fc.constantFrom('all' as const, 'all' as const, 'organic' as const, 'bot' as const),
    fromMs: fc.constantFrom(null, null, null, 4_000),
    toMs: fc.constantFrom(null, null, null, 9_000),
    limit: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ scope, ...rest }) => ({ ...ANY, ...rest, ...scope }));

/** Reads of a chain whose store is written once more before it answers. */
function readsOf(chain: TradeChain): CurrentTrades {
  const { unwritten } = chain;
  const changes = () => chain.stored.map((slot) => slot.changes);
  const stored = {
    newest: async (range: SwapRange, before: TradePosition | null, limit: number) => {
      chain.apply({ kind: 'write', slots: 1 });
      const rows = chain.stored.flatMap(({ drafted }) => drafted.map(({ swap }) => swap));
      const [like] = rows;
      const after = before === null || like === undefined ? null : swapAt(like, before);
      return listedSwaps(rows, range, after).slice(0, limit);
    },
  };
  const labels = {
    bundled: async () => changes().flatMap(({ bundles }) => bundles),
    washFindings: async () => changes().flatMap(({ classifications }) => classifications),
  };
  return new CurrentTrades({
    ...{ stored, unwritten, finalSlot: -1 },
    labels: new CurrentTradeLabels(labels, unwritten, () => null),
  });
}

const shown = ({ first, side, base, quote, value, flags }: ExpectedTrade) => [
  ...[first.signature, side, base, quote, value],
  flags.join(),
];
const shownTrade = ({ signature, side, baseRaw, quoteRaw, valueUsd, flags }: Trade) => [
  ...[signature, side, baseRaw, quoteRaw, valueUsd],
  flags.join(),
];

function pageAfter(chain: TradeChain, asked: TradeQuery, before: TradePosition | null) {
  return readsOf(chain).page({ ...asked, before });
}

function chainOf(start: readonly TradeStep[]): TradeChain {
  const chain = new TradeChain();
  for (const step of start) chain.apply(step);
  return chain;
}

function intersectionOf(one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  return new Set([...one].filter((item) => other.has(item)));
}

function signaturesOf(chain: TradeChain, asked: TradeQuery): Set<string> {
  const everything = expectedPage(chain, { ...asked, limit: 1_000 });
  return new Set(everything.map(({ first }) => first.signature));
}

const steps = fc.array(arbitraryStep, { minLength: 20, maxLength: 40 });
/** What happens between pages. */
const between = fc.array(fc.array(arbitraryStep, { maxLength: 3 }), {
  minLength: 30,
  maxLength: 30,
});

describe('current trades', () => {
  test('are on every page those of a list of all trades of that moment, under forks and writes', async () => {
    let found = 0;
    const property = fc.asyncProperty(steps, query, between, async (start, asked, changes) => {
      const chain = chainOf(start);
      let before: TradePosition | null = null;
      for (const step of changes) {
        const request: TradeQuery = { ...asked, before };
        const expected = expectedPage(chain, request);
        found += expected.length;
        const page = await readsOf(chain).page(request);
        expect(page.trades.map(shownTrade)).toEqual(expected.map(shown));
        if (page.next === null) return;
        before = page.next;
        for (const one of step) chain.apply(one);
      }
    });
    await fc.assert(property, { numRuns: 300 });
    expect(found).toBeGreaterThan(500);
  });

  test('are listed once and completely while slots are added, forked and written between pages', async () => {
    let pages = 0;
    const property = fc.asyncProperty(steps, query, between, async (start, asked, changes) => {
      const chain = chainOf(start);
      const listed: Trade[] = [];
      let constant = signaturesOf(chain, asked);
      let before: TradePosition | null = null;
      for (const step of changes) {
        const page = await pageAfter(chain, asked, before);
        pages++;
        listed.push(...page.trades);
        before = page.next;
        if (before === null) break;
        for (const one of step) {
          chain.apply(one);
          constant = intersectionOf(constant, signaturesOf(chain, asked));
        }
      }
      const signatures = listed.map(({ signature }) => signature);
      expect(new Set(signatures).size).toBe(signatures.length);
      if (before === null) expect(signatures).toEqual(expect.arrayContaining([...constant]));
    });
    await fc.assert(property, { numRuns: 200 });
    expect(pages).toBeGreaterThan(400);
  });

  test('of users are whole at the ends of what is read, and are found beyond what a page reads', async () => {
    const legs = (slot: number) =>
      [0, 1, 2].map((outerIx) =>
        buildSwap(POOLS[0], `${slot}/${outerIx}`, {
          ...{
            slot: asSlot(slot),
            timeMs: slot * 1_000,
            valueUsd: asUsdNano(slot === 7 ? 9n : 1n),
          },
          swap: { outerIx, baseMint: MINTS[0] },
        }),
      );
    const newest = Array.from({ length: 8_000 }, (_, index) =>
      legs(8_000 - index).reverse(),
    ).flat();
    const stored = {
      newest: async (_: SwapRange, before: TradePosition | null, limit: number) => {
        const isOlder = (swap: PricedSwap) =>
          before === null || inOrder(swap, swapAt(swap, before)) < 0;
        const start = newest.findIndex(isOlder);
        return start < 0 ? [] : newest.slice(start, start + limit);
      },
    };
    const labels = { of: async () => ({ isBundled: () => false, isWash: () => false }) };
    const unwritten = new UnwrittenRows(() => []);
    const trades = new CurrentTrades({ stored, unwritten, labels, finalSlot: -1 });
    const every = { ...ANY, view: 'user', mint: MINTS[0], limit: 500 } as const;
    const { trades: shown, next } = await trades.page(every);
    expect(shown.map(({ slot }) => slot)).toEqual(shown.map((_, index) => 8_000 - index));
    expect(new Set(shown.map(({ baseRaw }) => baseRaw))).toEqual(new Set([30n]));
    expect([shown.length, next?.slot]).toEqual([500, 7_501]);
    const pages: number[][] = [];
    for (let before: TradePosition | null = null, page = 0; page < 4; page++) {
      const read = await trades.page({ ...every, valueUsdMin: asUsdNano(27n), before });
      pages.push(read.trades.map(({ slot }) => slot));
      before = read.next;
      if (before === null) break;
    }
    expect(pages).toEqual([[], [], [7]]);
  });

  test('are final once a fork cannot revert them, whether or not they are stored', async () => {
    const chain = new TradeChain();
    const trade = { txIndex: 0, outerIx: 0, pool: 0, wallet: 0, isBuy: true, value: 1n } as const;
    const rest = { isHop: false, isQuarantined: false, isOrganic: true, isBundled: false } as const;
    const drafts = [{ ...trade, ...rest, base: 1n, quote: 1n, isWash: false, later: 0 }];
    for (let slot = 1; slot <= 4; slot++) chain.apply({ kind: 'slot', drafts });
    chain.apply({ kind: 'write', slots: 1 });
    const { unwritten } = chain;
    const finalOf = async (finalSlot: number) => {
      const labels = { of: async () => ({ isBundled: () => false, isWash: () => false }) };
      const rows = chain.stored.flatMap(({ drafted }) => drafted.map(({ swap }) => swap));
      const stored = { newest: async () => rows };
      const trades = new CurrentTrades({ stored, unwritten, labels, finalSlot });
      const page = await trades.page({ ...ANY, mint: MINTS[0], limit: 9 });
      return page.trades.map(({ slot, isFinal }) => [slot, isFinal]);
    };
    const one = [[4, false], [3, false], [2, false], [1, true]]; // biome-ignore format: one line
    expect(await finalOf(-1)).toEqual(one);
    expect(await finalOf(3)).toEqual([[4, false], [3, true], [2, true], [1, true]]); // biome-ignore format: one line
  });
});
