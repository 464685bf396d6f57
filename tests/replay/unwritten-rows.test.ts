import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import { CurrentBundleGroups } from '../../src/ingestion/current-bundle-groups.ts';
import { CurrentBundles } from '../../src/ingestion/current-bundles.ts';
import { CurrentCandles } from '../../src/ingestion/current-candles.ts';
import { UnwrittenRows } from '../../src/ingestion/unwritten-rows.ts';
import { byPosition, groupBundles } from '../../src/model/bundle-groups.ts';
import type { SlotChanges } from '../../src/model/derived.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { PriceE18, Signature, Slot } from '../../src/model/units.ts';
import { type DataPlane, openDataPlane } from '../../src/store/data-plane.ts';
import { StoredBundleGroups } from '../../src/store/reads/bundle-groups.ts';
import { BundlePages } from '../../src/store/reads/bundles.ts';
import { StoredCandles } from '../../src/store/reads/candles.ts';
import { SlotWriter } from '../../src/store/writes/slot-writer.ts';
import { arbitrarySlots } from '../support/arbitrary-slots.ts';
import { address } from '../support/build-transaction.ts';
import { START_MS } from '../support/master-fixture.ts';

const SCOPES = ['token-t', 'token-u', 'pool-t', 'pool-v', 'sol-usd'].map(address);
/** Fixed, so that the amount of tested data does not change from run to run. */
const SEED = 20_261;
const DAY_MS = 86_400_000;
const INTERVALS_MS = [1_000, 5_000, 15_000, 30_000, 60_000, 900_000, DAY_MS];

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

/** Slots of a busy market, and the percentage of them that the store contains. */
const market = fc.record({
  slots: arbitrarySlots({ minLength: 15, maxLength: 30 }).map(withOwnSignatures),
  percent: fc.constantFrom(0, 25, 50, 75, 90, 100),
});

describe('reads of folded data that is not written yet', () => {
  let folder: string;
  let plane: DataPlane;
  let writer: SlotWriter;
  let epoch = 0;
  const found = { candles: 0, organic: 0, bundles: 0, overlaid: 0 };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'unwritten-'));
    plane = await openDataPlane({ dataDir: folder });
    writer = new SlotWriter(plane.writer);
  });

  afterAll(async () => {
    await plane.close();
    rmSync(folder, { recursive: true });
  });

  /** A store with all slots, and a store with a part whose other slots are only in memory. */
  async function split(slots: readonly SlotFacts[], percent: number) {
    const engine = new Engine({ fallbackSolUsd: (150n * 10n ** 18n) as PriceE18 });
    const changes = slots.map((facts) => engine.apply(facts));
    const cut = Math.floor((percent * changes.length) / 100);
    const [whole, part] = [{ epoch: ++epoch }, { epoch: ++epoch }];
    const write = (given: readonly SlotChanges[], into: number) =>
      writer.writeBatch({ slots: [], changes: given, epoch: into });
    await write(changes, whole.epoch);
    await write(changes.slice(0, cut), part.epoch);
    const rest = changes.slice(cut).map((change) => ({ changes: change }));
    found.overlaid += rest.length > 0 && cut > 0 ? 1 : 0;
    const unwritten = new UnwrittenRows(() => rest);
    return {
      wholeCandles: new CurrentCandles(
        new StoredCandles(plane.fast, whole),
        new UnwrittenRows(() => []),
      ),
      candles: new CurrentCandles(new StoredCandles(plane.fast, part), unwritten),
      wholeBundles: new BundlePages(plane.fast, whole),
      bundles: new CurrentBundles(new BundlePages(plane.fast, part), unwritten),
      rows: changes.flatMap(({ bundles }) => bundles),
      groups: new CurrentBundleGroups(new StoredBundleGroups(plane.fast, part), unwritten),
    };
  }

  test('candles of every interval and scope equal those of a store that has everything', async () => {
    const query = fc.record({
      scope: fc.constantFrom(...SCOPES),
      intervalMs: fc.constantFrom(...INTERVALS_MS),
      view: fc.constantFrom('all' as const, 'organic' as const),
      fromS: fc.nat(90),
      seconds: fc.constantFrom(7, 60, 300, 86_400),
    });
    const queries = fc.array(query, { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(market, queries, async ({ slots, percent }, asked) => {
        const { wholeCandles, candles } = await split(slots, percent);
        for (const { scope, intervalMs, view, fromS, seconds } of asked) {
          const fromMs = Math.floor((START_MS + fromS * 1_000) / intervalMs) * intervalMs;
          const toMs = fromMs + Math.ceil((seconds * 1_000) / intervalMs) * intervalMs;
          const range = { scope, intervalMs, fromMs, toMs, view };
          const expected = await wholeCandles.read(range);
          found.candles += expected.length;
          found.organic += view === 'organic' ? expected.length : 0;
          expect(await candles.read(range)).toEqual(expected);
          expect(await candles.lastBefore(scope, toMs, view)).toEqual(
            await wholeCandles.lastBefore(scope, toMs, view),
          );
        }
      }),
      { numRuns: 14, seed: SEED },
    );
    expect(found.candles).toBeGreaterThan(200);
    expect(found.organic).toBeGreaterThan(50);
    expect(found.overlaid).toBeGreaterThan(4);
  });

  test('pages of bundled transactions equal those of a store that has everything', async () => {
    const page = fc.record({
      mint: fc.constantFrom(...SCOPES.slice(0, 2)),
      orderBy: fc.constantFrom(
        ...(['slot', 'solana_amount', 'transaction_id', 'signing_address'] as const),
      ),
      orderDir: fc.constantFrom('asc' as const, 'desc' as const),
      offset: fc.nat(3),
      limit: fc.nat(6),
      asOfSlot: fc.option(fc.integer({ min: 1_000, max: 1_100 }).map((slot) => slot as Slot)),
    });
    const pages = fc.array(page, { minLength: 25, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(market, pages, async ({ slots, percent }, asked) => {
        const { wholeBundles, bundles } = await split(slots, percent);
        for (const query of asked) {
          const expected = await wholeBundles.page(query);
          found.bundles += expected.items.length;
          expect(await bundles.page(query)).toEqual(expected);
        }
      }),
      { numRuns: 28, seed: SEED },
    );
    expect(found.bundles).toBeGreaterThan(20);
  });

  test('pages of bundles contain each group once, with all members that were found', async () => {
    const page = fc.record({
      mint: fc.constantFrom(...SCOPES.slice(0, 2)),
      orderDir: fc.constantFrom('asc' as const, 'desc' as const),
      offset: fc.nat(3),
      limit: fc.nat(4),
      asOfSlot: fc.option(fc.integer({ min: 1_000, max: 1_100 }).map((slot) => slot as Slot)),
    });
    const pages = fc.array(page, { minLength: 25, maxLength: 25 });
    let members = 0;
    await fc.assert(
      fc.asyncProperty(market, pages, async ({ slots, percent }, asked) => {
        const { rows, groups } = await split(slots, percent);
        for (const query of asked) {
          const { mint, asOfSlot, offset, limit } = query;
          const known = rows.filter(
            (row) => row.mint === mint && (asOfSlot === null || row.foundSlot <= asOfSlot),
          );
          const expected = groupBundles(known).sort(byPosition);
          if (query.orderDir === 'desc') expected.reverse();
          const shown = expected.slice(offset, offset + limit);
          members += shown.flatMap((group) => group.members).length;
          expect(await groups.page(query)).toEqual({ groups: shown, total: expected.length });
        }
      }),
      { numRuns: 28, seed: SEED },
    );
    expect(members).toBeGreaterThan(20);
  });
});
