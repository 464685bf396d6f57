import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vwapOf } from '../../src/api/present/candle-vwap.ts';
import { Engine } from '../../src/engine/engine.ts';
import { mergeCandles } from '../../src/fold/market/candle-merge.ts';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import { BASE_CANDLE_MS, type Candle } from '../../src/model/derived.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address, PriceE18, RawAmount } from '../../src/model/units.ts';
import { prepareDataFolder } from '../../src/store/data-folder.ts';
import { type DataPlane, openDataPlane } from '../../src/store/data-plane.ts';
import { StoredCandles } from '../../src/store/reads/candles.ts';
import { SlotWriter } from '../../src/store/writes/slot-writer.ts';
import { poolCreated, slotFacts, swapEvent, transactionFacts } from '../support/build-facts.ts';
import { address, signature } from '../support/build-transaction.ts';
import { runCommand, temporaryFolder } from '../support/command-line.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const START_MS = Date.UTC(2025, 0, 1);
const SOL = 10n ** 9n;
const fallbackSolUsd = (200n * 10n ** 18n) as PriceE18;
const range = { fromMs: 0, toMs: Date.UTC(2100, 0, 1) };

const step = fc.record({
  gapMs: fc.constantFrom(0, 0, 400, 400, 4_000, 20_000),
  pool: fc.nat(2),
  kind: fc.constantFrom('swap', 'swap', 'swap', 'swap', 'created', 'liquidity', 'migrate'),
  trader: fc.constantFrom('a', 'b', 'c'),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  baseRaw: fc.constantFrom(900n, 1_000_000n, 1_000_001n),
  quoteRaw: fc.bigInt(1n, 5n * SOL),
  isQuarantined: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('candles finer than the stored ones merge to the stored ones', () => {
  let folder: string;
  let plane: DataPlane;
  let serial = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fine-candles-'));
    plane = await openDataPlane({ dataDir: folder });
  });

  afterAll(async () => {
    await plane.close();
    rmSync(folder, { recursive: true });
  });

  test('for a mint and its pools, also when the primary pool changes', async () => {
    const writer = new SlotWriter(plane.writer);
    const steps = fc.array(step, { minLength: 1, maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const name = `token ${serial++}`;
        const engine = new Engine({ fallbackSolUsd });
        const changes = toSlots(plan, name).map((facts) => engine.apply(facts));
        await writer.writeBatch({ slots: [], changes, epoch: 1 });
        const candles = new StoredCandles(plane.fast, { epoch: 1 });
        for (const scope of [address(name), ...poolsOf(name)]) await expectOneTruth(candles, scope);
      }),
      { numRuns: 15 },
    );
  });
});

describe.skipIf(!hasTestData)('one-second candles of recorded mainnet data', () => {
  test('merge to the stored ones, for every mint', async () => {
    const dataDir = temporaryFolder();
    const { exitCode, stderr } = await runCommand([
      ...['replay', resolve(testData, 'chain'), '--data-dir', dataDir],
      ...['--sol-usd-fallback', '150'],
    ]);
    expect(exitCode, stderr).toBe(0);
    const plane = await openDataPlane({ dataDir: prepareDataFolder(dataDir).engineFolder });
    try {
      const rows = await plane.fast.rows<{ mint: Address; epoch: number }>(
        'SELECT DISTINCT base_mint AS mint, epoch FROM pools',
      );
      expect(rows.length).toBeGreaterThan(100);
      for (const { mint, epoch } of rows) {
        await expectOneTruth(new StoredCandles(plane.fast, { epoch }), mint, [1_000]);
      }
    } finally {
      await plane.close();
    }
  });
});

async function expectOneTruth(
  candles: StoredCandles,
  scope: Address,
  intervals = [1_000, 5_000, 15_000],
): Promise<void> {
  const stored = await candles.read({ scope, ...range, intervalMs: BASE_CANDLE_MS });
  for (const intervalMs of intervals) {
    const fine = await candles.read({ scope, ...range, intervalMs });
    const merged = mergeCandles(fine, BASE_CANDLE_MS);
    expect(merged.map(withoutSlot), `${scope} ${intervalMs}`).toEqual(stored.map(withoutSlot));
    expect([...fine, ...stored].filter(hasNoVwap), `${scope} ${intervalMs}`).toEqual([]);
  }
}

/** The sums of a candle contradict its range. */
function hasNoVwap(candle: Candle): boolean {
  return candle.usd !== null && vwapOf({ ...candle, usd: candle.usd }) === null;
}

/** The slot of a stored candle is that of its last change, which may be without a trade. */
function withoutSlot({ slot: _, ...rest }: Candle): Omit<Candle, 'slot'> {
  return rest;
}

function poolsOf(name: string): Address[] {
  return [0, 1, 2].map((index) => address(`${name} pool ${index}`));
}

/** Slots of at least 400 ms with one transaction per step; steps without a gap share a slot. */
function toSlots(plan: readonly Step[], name: string): SlotFacts[] {
  const slots: SlotFacts[] = [];
  let timeMs = START_MS;
  let steps: Step[] = [];
  const close = () => {
    if (steps.length === 0) return;
    const transactions = steps.map((each, txIndex) =>
      transactionFacts({
        txIndex,
        signature: signature(`${name} ${slots.length} ${txIndex}`),
        signers: [address(each.trader)],
        events: [toEvent(each, name)],
      }),
    );
    slots.push(slotFacts(1_000 + Math.ceil((timeMs - START_MS) / 400), timeMs, transactions));
    steps = [];
  };
  for (const each of plan) {
    if (each.gapMs > 0) close();
    timeMs += each.gapMs;
    steps.push(each);
  }
  close();
  return slots;
}

function toEvent({ kind, ...draft }: Step, name: string): ChainEvent {
  const baseMint = address(name);
  const pools = poolsOf(name);
  const pool = pools[draft.pool] as Address;
  const quoteRaw = draft.quoteRaw as RawAmount;
  const created = poolCreated(draft.baseRaw, quoteRaw, { pool, baseMint });
  const place = { outerIx: 0, innerIx: -1, venue: 'raydium_cpmm' } as const;
  switch (kind) {
    case 'created':
      return created;
    case 'liquidity':
      return {
        ...place,
        kind,
        pool,
        baseMint,
        quoteMint: created.quoteMint,
        provider: address('provider'),
        poolBaseDelta: 0n as RawAmount,
        poolQuoteDelta: quoteRaw,
        lpDelta: null,
        reserves: null,
      };
    case 'migrate': {
      const toPool = pools[(draft.pool + 1) % pools.length] as Address;
      const baseRaw = draft.baseRaw as RawAmount;
      return { ...place, kind, mint: baseMint, fromPool: pool, toPool, baseRaw, quoteRaw };
    }
    default:
      return swapEvent(
        { ...draft, trader: address(draft.trader) },
        { pool, baseMint, quarantine: draft.isQuarantined ? 'made up' : null },
      );
  }
}
