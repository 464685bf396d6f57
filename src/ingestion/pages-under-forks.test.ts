import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findingStore } from '../../tests/support/build-findings.ts';
import { address } from '../../tests/support/build-transaction.ts';
import {
  arbitraryMarketSlots,
  arbitraryMarketSteps,
  CREATOR,
  type MarketView,
  MovingMarket,
} from '../../tests/support/moving-market.ts';
import type { SlotChanges } from '../model/derived.ts';
import {
  FINDING_ORDERS,
  type FindingOrder,
  type FindingPosition,
  findingPosition,
} from '../model/finding-page.ts';
import type { HolderCursor } from '../model/holder-page.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { TradedSwap } from '../model/trade.ts';
import type { CreatedTokenCursor, CreatedTokenQuery } from '../model/wallet-lists.ts';
import { firstOfEach } from '../store/reads/first-buys.ts';
import { CurrentCreatedTokens } from './current-created-tokens.ts';
import { CurrentFindings } from './current-findings.ts';
import { CurrentFirstBuys } from './current-first-buys.ts';

const MINT = address('token-t');
const WALLET = address('a');
const RUNS = 40;

/** An item of a list, and what its place in the order follows from. */
interface Listed {
  readonly key: string;
  readonly place: unknown;
}

interface Page<Cursor> {
  readonly items: readonly Listed[];
  readonly next: Cursor | null;
}

type ReadPage = (view: MarketView, after: unknown, limit: number) => Promise<Page<unknown>>;

/** A list whose cursors are of one type: those that it returned itself. */
function listOf<Cursor>(
  read: (
    view: MarketView,
    after: Cursor | null,
    limit: number,
  ) => Page<Cursor> | Promise<Page<Cursor>>,
): ReadPage {
  return async (view, after, limit) => await read(view, after as Cursor | null, limit);
}

const LISTS: readonly (readonly [name: string, list: ReadPage])[] = [
  [
    'holders',
    listOf<HolderCursor>(({ engine }, after, limit) => {
      const { holders, next } = engine.holderPage({ mint: MINT, after, limit });
      const items = holders.map(({ owner: key, balanceRaw: place }) => ({ key, place }));
      return { items, next };
    }),
  ],
  ...[false, true].map(
    (isOpen) => [isOpen ? 'open positions' : 'positions', positionsOf(isOpen)] as const,
  ),
  [
    'created tokens',
    listOf<CreatedTokenCursor>(async ({ unwritten, stored }, after, limit) => {
      const store = { of: async (query: CreatedTokenQuery) => createdBy(stored(), query) };
      const current = new CurrentCreatedTokens(store, unwritten);
      const { tokens, next } = await current.page({ creator: CREATOR, after, limit });
      return { items: tokens.map(({ mint: key, creationSlot: place }) => ({ key, place })), next };
    }),
  ],
  [
    'first buyers',
    listOf<number>(async ({ unwritten, stored }, after, limit) => {
      const of = async (_: string, count: number) => boughtFirst(stored()).slice(0, count);
      const current = new CurrentFirstBuys({ of }, unwritten);
      const { buys, next } = await current.page({ mint: MINT, afterRank: after ?? 0, limit });
      return { items: buys.map(({ wallet: key, rank: place }) => ({ key, place })), next };
    }),
  ],
  ...FINDING_ORDERS.map((orderBy) => [`findings by ${orderBy}`, findingsBy(orderBy)] as const),
];

function positionsOf(isOpen: boolean): ReadPage {
  return listOf<number>(({ engine }, before, limit) => {
    const query = { wallet: WALLET, isOpen, before, limit };
    const { positions, next } = engine.walletReads.positions(query);
    // Positions have numbers in the order in which they began, which only a fork changes.
    return { items: positions.map(({ mint }) => ({ key: mint, place: null })), next };
  });
}

function findingsBy(orderBy: FindingOrder): ReadPage {
  return listOf<FindingPosition>(async ({ unwritten, stored }, after, limit) => {
    const written = () => stored().flatMap(({ classifications }) => classifications);
    const noReviews = { statusOf: () => null, idsWith: () => [] };
    const current = new CurrentFindings(findingStore(written), noReviews, unwritten);
    const { findings, next } = await current.page({
      ...{ fraudTypes: null, levels: ['critical', 'high', 'medium', 'low'], fromMs: null },
      ...{ toMs: null, mint: null, wallet: null, statuses: ['active'], orderDir: 'desc' },
      ...{ orderBy, after, limit },
    });
    const items = findings.map(({ classification }) => {
      const { id: key, key: place } = findingPosition(classification, orderBy);
      return { key, place };
    });
    return { items, next };
  });
}

/** Answers as the database does: newest first, ties by mint. */
function createdBy(
  written: readonly SlotChanges[],
  { creator, after, limit }: CreatedTokenQuery,
): TokenRecord[] {
  const newest = new Map(written.flatMap(({ tokens }) => tokens).map((one) => [one.mint, one]));
  // Unknown slots are last.
  const orderOf = (slot: number | null, mint: string) =>
    `${String(1e9 - (slot ?? 0)).padStart(10, '0')} ${mint}`;
  const end = after === null ? '' : orderOf(after.slot, after.mint);
  return [...newest.values()]
    .filter((token) => token.creator === creator)
    .map((token) => ({ token, order: orderOf(token.creationSlot, token.mint) }))
    .filter(({ order }) => order > end)
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .slice(0, limit)
    .map(({ token }) => token);
}

/** Answers as the database does: the first purchase of each wallet, oldest first. */
function boughtFirst(written: readonly SlotChanges[]): TradedSwap[] {
  return firstOfEach(
    written.flatMap(({ slot, swaps }) =>
      swaps.filter(
        ({ slot: own, swap, exclusion }) =>
          own === slot &&
          swap.baseMint === MINT &&
          swap.side === 'buy' &&
          !swap.isIntermediateHop &&
          exclusion !== 'quarantined',
      ),
    ),
  );
}

/** What a list had at each moment of a read in pages. */
class Moments {
  private readonly places = new Map<string, unknown>();
  private readonly moved = new Set<string>();
  private first: ReadonlySet<string> | null = null;

  note(items: readonly Listed[]): void {
    const now = new Map(items.map(({ key, place }) => [key, place]));
    expect(now.size).toBe(items.length);
    for (const [key, place] of this.places) {
      if (!now.has(key) || now.get(key) !== place) this.moved.add(key);
    }
    for (const [key, place] of now) if (!this.places.has(key)) this.places.set(key, place);
    this.first ??= new Set(now.keys());
  }

  /** Items that had one place from the moment on in which they came. */
  get still(): readonly string[] {
    return [...this.places.keys()].filter((key) => !this.moved.has(key));
  }

  /** Those of them that were there from the first moment on. */
  get constant(): readonly string[] {
    return this.still.filter((key) => this.first?.has(key));
  }

  get movedCount(): number {
    return this.moved.size;
  }
}

const steps = arbitraryMarketSteps({ minLength: 40, maxLength: 60 });
/** What happens between pages. */
const between = fc.array(arbitraryMarketSteps({ minLength: 0, maxLength: 3 }), {
  minLength: 30,
  maxLength: 30,
});

test.each(LISTS)(
  'pages of %s have each item once that stays in its place while the market moves and forks',
  async (name, read) => {
    const seen = { pages: 0, constant: 0, moved: 0 };
    const limit = fc.constantFrom(1, 1, 1, 2);
    const property = fc.asyncProperty(
      arbitraryMarketSlots,
      steps,
      between,
      limit,
      async (slots, start, changes, size) => {
        const market = new MovingMarket(slots);
        for (const one of start) market.apply(one);
        const moments = new Moments();
        const note = async () => moments.note((await read(market.view(), null, 1_000)).items);
        await note();
        const listed: string[] = [];
        let next: unknown = null;
        for (const following of changes) {
          const page = await read(market.viewWhileWriting(), next, size);
          seen.pages++;
          listed.push(...page.items.map(({ key }) => key));
          next = page.next;
          if (next === null) break;
          for (const one of following) {
            market.apply(one);
            await note();
          }
        }
        const timesOf = (key: string) => listed.filter((one) => one === key).length;
        expect(moments.still.filter((key) => timesOf(key) > 1)).toEqual([]);
        seen.moved += moments.movedCount;
        if (next !== null) return;
        expect(moments.constant.filter((key) => timesOf(key) !== 1)).toEqual([]);
        seen.constant += moments.constant.length;
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    // Reads take several pages, of lists that change meanwhile; positions and ranks seldom do.
    expect(seen.pages).toBeGreaterThan(RUNS);
    expect(seen.constant).toBeGreaterThan(RUNS / 4);
    if (!/positions|buyers/.test(name)) expect(seen.moved).toBeGreaterThan(0);
  },
);
