import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import { swapKey } from '../../src/ingestion/unwritten-rows.ts';
import { PagePool } from '../../src/lib/pages/page-pool.ts';
import type { PageStore } from '../../src/lib/pages/page-store.ts';
import { MarketTable } from '../../src/market/market-table.ts';
import type { PricedSwap, SlotChanges } from '../../src/model/derived.ts';
import { StoreError } from '../../src/model/errors.ts';
import {
  INCLUDED_TOKENS,
  NO_TOKEN_FILTER,
  POOL_FIGURES,
  TOKEN_FIGURES,
} from '../../src/model/market-listing.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { type Address, asSlot, type PriceE18, type Signature } from '../../src/model/units.ts';
import { listPools, listTokens } from '../../src/service/market-lists.ts';
import { MarketPageFiles, marketPagesOf } from '../../src/service/market-pages.ts';
import { MarketService } from '../../src/service/market-service.ts';
import { type DataPlane, openDataPlane } from '../../src/store/data-plane.ts';
import { PageFile } from '../../src/store/page-file.ts';
import { ChangedRecords } from '../../src/store/reads/changed-records.ts';
import { MarketHistory } from '../../src/store/reads/market-history.ts';
import { StoredTokens } from '../../src/store/reads/tokens.ts';
import { SlotWriter } from '../../src/store/writes/slot-writer.ts';
import { arbitrarySlots } from '../support/arbitrary-slots.ts';
import { type ListedTrade, naiveWindows } from '../support/naive-windows.ts';

/** Fixed, so that the amount of tested data does not change from run to run. */
const SEED = 20_261;
const DIRECTIONS = ['asc', 'desc'] as const;

/** Signatures are unique across slots, as on a chain. */
function withOwnSignatures(slots: readonly SlotFacts[]): SlotFacts[] {
  return slots.map((facts) => ({
    ...facts,
    transactions: facts.transactions.map((transaction) => ({
      ...transaction,
      signature: `${transaction.signature} ${facts.slot}` as Signature,
    })),
  }));
}

const story = fc.record({
  slots: arbitrarySlots({ minLength: 15, maxLength: 30 }).map(withOwnSignatures),
  /** After each slot, how many are reverted and applied again. */
  reverts: fc.array(
    fc.nat(6).map((number) => Math.max(0, number - 3)),
    { minLength: 30 },
  ),
  /** Percentage of the slots that the store contains. */
  percent: fc.constantFrom(0, 50, 90, 100),
});

const newEngine = () =>
  new Engine({ fallbackSolUsd: (150n * 10n ** 18n) as PriceE18, undoSlotsMax: 64 });
const newTable = (engine: Engine) => new MarketTable(engine, () => null);

function readyTable({ ready }: MarketService): MarketTable {
  if (ready === null) throw new Error('the figures are not complete');
  return ready;
}

/** Everything that lists show, in every order. */
function allLists(table: MarketTable, engine: Engine) {
  const page = { after: null, limit: 500, include: [...INCLUDED_TOKENS] };
  const orders = TOKEN_FIGURES.flatMap((orderBy) =>
    DIRECTIONS.map((orderDir) => {
      const { items } = listTokens(table, engine, {
        ...NO_TOKEN_FILTER,
        ...page,
        orderBy,
        orderDir,
      });
      return items.map(({ token }) => token.mint);
    }),
  );
  const poolOrders = POOL_FIGURES.map((orderBy) => {
    const query = { ...page, mint: null, venue: null, orderBy, orderDir: 'desc' as const };
    return listPools(table, engine, query).items.map(({ pool }) => pool.pool);
  });
  const query = { ...NO_TOKEN_FILTER, ...page, orderBy: 'newest', orderDir: 'asc' } as const;
  const tokens = listTokens(table, engine, query).items;
  const pools = listPools(table, engine, { ...query, mint: null, venue: null }).items;
  return { tokens, pools, orders, poolOrders };
}

/** Each swap in its last state, in the order of execution, as /v1/trades lists those not quarantined. */
function listedSwaps(changes: readonly SlotChanges[]): readonly PricedSwap[] {
  const newest = new Map<string, PricedSwap>();
  for (const { swaps } of changes) {
    for (const priced of swaps) newest.set(`${priced.slot} ${swapKey(priced)}`, priced);
  }
  return [...newest.values()].filter(({ exclusion }) => exclusion !== 'quarantined');
}

function tradesFor(scope: Address, swaps: readonly PricedSwap[]): ListedTrade[] {
  return swaps.map(({ swap, timeMs, valueUsd, isOrganic, priceUsd, ...priced }) => {
    const { pool, baseMint: mint, trader, side, poolBaseDelta } = swap;
    const setsPrice = priced.exclusion === null && (scope === pool || priced.setsTokenPrice);
    const baseRaw = poolBaseDelta < 0n ? -poolBaseDelta : poolBaseDelta;
    const trade = { timeMs, pool, mint, trader, side, valueUsd, isOrganic, baseRaw };
    return { ...trade, price: setsPrice ? priceUsd : null };
  });
}

/** Applies the slots, reverting some of them in between. Returns the changes that remain. */
function follow(
  slots: readonly SlotFacts[],
  reverts: readonly number[],
  { engine, table }: { readonly engine: Engine; readonly table: MarketTable },
): SlotChanges[] {
  const changes: SlotChanges[] = [];
  const apply = (facts: SlotFacts) => {
    const change = engine.apply(facts, { isFinal: false });
    table.apply(change);
    changes.push(change);
  };
  for (const [at, facts] of slots.entries()) {
    apply(facts);
    const again: SlotFacts[] = [];
    for (let left = reverts[at] ?? 0; left > 0 && changes.length > 0; left--) {
      const newest = changes.pop() as SlotChanges;
      engine.undo();
      table.revert(newest);
      again.unshift(slots.find(({ slot }) => slot === newest.slot) as SlotFacts);
    }
    for (const one of again) apply(one);
  }
  return changes;
}

/** Pages in a file that cannot be read while `isFailing`. */
class FailingPages extends PageFile {
  isFailing = false;

  override read(space: number, id: number): Uint8Array | null {
    if (this.isFailing) throw new StoreError('the device fails', { isTransient: true });
    return super.read(space, id);
  }
}

/** Pages of which a few are in memory, all others in a file of their own. */
class FewPages {
  private readonly folder: string;
  private readonly pools: PagePool[] = [];

  constructor(folder: string) {
    this.folder = folder;
  }

  open(store: PageStore = new PageFile(join(this.folder, `pages-${this.pools.length}`))): PagePool {
    const pool = new PagePool({ pagesMax: 4, store, hasSums: false });
    this.pools.push(pool);
    return pool;
  }

  get use(): { readonly evictedPages: number; readonly loadedPages: number } {
    const sum = (name: 'evictedPages' | 'loadedPages') =>
      this.pools.reduce((total, { use }) => total + use[name], 0);
    return { evictedPages: sum('evictedPages'), loadedPages: sum('loadedPages') };
  }
}

describe('lists of tokens and pools', () => {
  let folder: string;
  let few: FewPages;
  let plane: DataPlane;
  let writer: SlotWriter;
  let epoch = 0;
  const found = { figures: 0, organic: 0, items: 0 };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'market-lists-'));
    few = new FewPages(mkdtempSync(join(folder, 'few-')));
    plane = await openDataPlane({ dataDir: folder });
    writer = new SlotWriter(plane.writer);
  });

  afterAll(async () => {
    await plane.close();
    rmSync(folder, { recursive: true });
  });

  test('have the windows that a recount of the trades gives, across forks', () => {
    fc.assert(
      fc.property(story, ({ slots, reverts }) => {
        const engine = newEngine();
        const table = new MarketTable(engine, () => null, few.open());
        const swaps = listedSwaps(follow(slots, reverts, { engine, table }));
        for (const scope of new Set(swaps.flatMap(({ swap }) => [swap.pool, swap.baseMint]))) {
          const expected = naiveWindows(tradesFor(scope, swaps), scope, engine.timeMs);
          expect(table.windowsOf(scope)).toEqual(expected);
          found.figures += expected['24h'].buyers + expected['24h'].sellers;
          found.organic += expected['24h'].organicVolumeUsd === 0n ? 0 : 1;
        }
      }),
      { numRuns: 40, seed: SEED },
    );
    expect(found.figures).toBeGreaterThan(200);
    expect(found.organic).toBeGreaterThan(20);
    expect(few.use.evictedPages).toBeGreaterThan(1_000);
    expect(few.use.loadedPages).toBeGreaterThan(1_000);
  });

  test('are after forks as if nothing had been reverted', () => {
    fc.assert(
      fc.property(story, ({ slots, reverts }) => {
        const engine = newEngine();
        const forked = new MarketTable(engine, () => null, few.open());
        const changes = follow(slots, reverts, { engine, table: forked });
        const straight = newTable(engine);
        for (const change of changes) straight.apply(change);
        expect(allLists(forked, engine)).toEqual(allLists(straight, engine));
      }),
      { numRuns: 40, seed: SEED },
    );
  });

  test('are the same after a start, whatever part of the slots is stored', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.boolean(), async ({ slots, percent }, isStoredMeanwhile) => {
        const engine = newEngine();
        const table = newTable(engine);
        const changes = follow(slots, [], { engine, table });
        const cut = Math.floor((percent * changes.length) / 100);
        const visible = { epoch: ++epoch, slot: asSlot(0) };
        // What is unwritten when the reads begin may be stored before they end.
        const stored = isStoredMeanwhile ? changes : changes.slice(0, cut);
        await writer.writeBatch({ slots: [], changes: stored, epoch });
        const started = new MarketService({
          state: {
            engine,
            point: { unwritten: changes.slice(cut).map((change) => ({ changes: change })) },
          },
          store: {
            cursor: visible,
            changed: new ChangedRecords(plane.heavy, visible),
            market: new MarketHistory(plane.heavy, visible),
            tokens: new StoredTokens(plane.fast, visible),
            reviews: { statusOf: () => null },
          },
        });
        await started.begin();
        const lists = allLists(started.ready as MarketTable, engine);
        expect(lists).toEqual(allLists(table, engine));
        found.items += lists.tokens.length;
      }),
      { numRuns: 10, seed: SEED },
    );
    expect(found.items).toBeGreaterThan(20);
  });

  test('are filled anew when their pages cannot be read, with the slot that found it', async () => {
    const slots = fc.sample(story, { numRuns: 1, seed: SEED }).flatMap((drawn) => drawn.slots);
    const engine = newEngine();
    const table = newTable(engine);
    const stored = follow(slots.slice(0, 10), [], { engine, table });
    const visible = { epoch: ++epoch, slot: asSlot(0) };
    await writer.writeBatch({ slots: [], changes: stored, epoch });
    const opened: FailingPages[] = [];
    const service = new MarketService({
      state: { engine, point: { unwritten: [] } },
      store: {
        cursor: visible,
        changed: new ChangedRecords(plane.heavy, visible),
        market: new MarketHistory(plane.heavy, visible),
        tokens: new StoredTokens(plane.fast, visible),
        reviews: { statusOf: () => null },
      },
      openPages: () => {
        const pages = new FailingPages(join(folder, `failing-${opened.length}`));
        opened.push(pages);
        return marketPagesOf(few.open(pages), () => pages.close());
      },
    });
    await service.begin();
    const [broken] = opened as [FailingPages];
    broken.isFailing = true;
    const changes: SlotChanges[] = [];
    for (let next = 10; service.ready !== null; next++) {
      const change = engine.apply(slots[next] as SlotFacts, { isFinal: false });
      changes.push(change);
      service.onApplied(change);
      if (service.ready !== null) await writer.writeBatch({ slots: [], changes: [change], epoch });
    }
    await vi.waitFor(() => expect(service.ready).not.toBeNull(), { timeout: 60_000 });
    expect(opened).toHaveLength(2);
    for (const change of changes) table.apply(change);
    expect(allLists(readyTable(service), engine)).toEqual(allLists(table, engine));
  });

  test('are left as they are when the service closes while they are filled, at any read', async () => {
    const slots = fc.sample(story, { numRuns: 1, seed: SEED }).flatMap((drawn) => drawn.slots);
    const engine = newEngine();
    const stored = follow(slots, [], { engine, table: newTable(engine) });
    const visible = { epoch: ++epoch, slot: asSlot(0) };
    await writer.writeBatch({ slots: [], changes: stored, epoch });
    const market = new MarketHistory(plane.heavy, visible);
    /** Fills the figures from a store that closes with the service at a read, and counts them. */
    const readsUntilClosed = async (closedAt: number): Promise<number> => {
      const files = new MarketPageFiles(join(folder, `closed-${closedAt}`), 2 ** 24);
      let reads = 0;
      const read = <Result>(result: Result): Result => {
        if (reads > closedAt) throw new Error('statement has been finalized');
        if (reads++ === closedAt) files.close();
        return result;
      };
      const service = new MarketService({
        state: { engine, point: { unwritten: [] } },
        store: {
          cursor: visible,
          changed: new ChangedRecords(plane.heavy, visible),
          market: {
            portion: async (query) => read(await market.portion(query)),
            findings: async (page) => read(await market.findings(page)),
            indicators: async (page) => read(await market.indicators(page)),
          },
          tokens: new StoredTokens(plane.fast, visible),
          reviews: { statusOf: () => null },
        },
        openPages: () => files.open(),
      });
      await service.begin();
      expect(service.ready === null).toBe(reads > closedAt);
      return reads;
    };
    const reads = await readsUntilClosed(Number.POSITIVE_INFINITY);
    expect(reads).toBeGreaterThan(3);
    for (let closedAt = 0; closedAt < reads; closedAt++) {
      expect(await readsUntilClosed(closedAt)).toBe(closedAt + 1);
    }
  });

  test('wait for what is read from the store, and include slots applied, reverted and stored meanwhile', async () => {
    const slots = fc.sample(story, { numRuns: 1, seed: SEED }).flatMap((drawn) => drawn.slots);
    const engine = newEngine();
    const table = newTable(engine);
    const stored = follow(slots.slice(0, 10), [], { engine, table });
    const visible = { epoch: ++epoch, slot: asSlot(0) };
    await writer.writeBatch({ slots: [], changes: stored, epoch });
    const market = new MarketHistory(plane.heavy, visible);
    let release: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      release = resolve;
    });
    const service = new MarketService({
      state: { engine, point: { unwritten: [] } },
      store: {
        cursor: visible,
        changed: new ChangedRecords(plane.heavy, visible),
        market: {
          portion: (query) => market.portion(query),
          findings: (page) => market.findings(page),
          indicators: async (page) => {
            await waits;
            return market.indicators(page);
          },
        },
        tokens: new StoredTokens(plane.fast, visible),
        reviews: { statusOf: () => null },
      },
    });
    const filled = service.begin();
    const apply = (facts: SlotFacts) => {
      const change = engine.apply(facts, { isFinal: false });
      service.onApplied(change);
      return change;
    };
    expect(service.ready).toBe(null);
    expect(() => service.pools({} as never)).toThrow(/starting/);
    const [first, second, third] = slots.slice(10) as [SlotFacts, SlotFacts, SlotFacts];
    const kept = apply(first);
    const lost = apply(second);
    engine.undo();
    service.onReverted(lost);
    const last = apply(third);
    // They are also stored before their time is read.
    await writer.writeBatch({ slots: [], changes: [kept, last], epoch });
    release();
    await filled;
    for (const change of [kept, last]) table.apply(change);
    expect(allLists(service.ready as MarketTable, engine)).toEqual(allLists(table, engine));
  });
});
