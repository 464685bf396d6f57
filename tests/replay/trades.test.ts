import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SimulatedBlock } from '../../simulator/chain/simulated-transaction.ts';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { createRecordedSource } from '../../src/chain/recorded/recorded-source.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { BASE_CANDLE_MS, type Candle, type SlotChanges } from '../../src/model/derived.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Trade, TradeFlag } from '../../src/model/trade.ts';
import type { Address } from '../../src/model/units.ts';
import { type DataPlane, openDataPlane } from '../../src/store/data-plane.ts';
import { StoredCandles } from '../../src/store/reads/candles.ts';
import { eventfulMarket } from '../support/eventful-market.ts';
import {
  everyTrade,
  FALLBACK_SOL_USD,
  type LoggedSwap,
  type StoredSlots,
  storeSlots,
  swapsOfLog,
} from '../support/listed-trades.ts';
import { NaiveTradeValues, type TradeValue } from '../support/naive-trade-values.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const SIMULATED_SLOTS = 120;
/** Wallets whose trades are read at a time. */
const WALLETS_AT_A_TIME = 8;

const absolute = (amount: bigint) => (amount < 0n ? -amount : amount);

/** What a trade must show of a swap in the log. */
function shownOfLog(
  { facts, transaction, swap }: LoggedSwap,
  { timeMs, priceUsd, valueUsd }: TradeValue,
): string {
  const flags = [
    ...(swap.isIntermediateHop ? ['hop'] : []),
    ...(swap.isPureArbitrage ? ['arbitrage'] : []),
    ...(swap.isAtomicRoundTrip ? ['round_trip'] : []),
    ...(swap.quarantine === null ? [] : ['quarantined']),
  ];
  return JSON.stringify([
    ...[facts.slot, transaction.txIndex, swap.outerIx, swap.innerIx, transaction.signature],
    ...[swap.pool, swap.baseMint, swap.venue, swap.router, transaction.terminal, swap.trader],
    ...[swap.side, String(absolute(swap.poolBaseDelta)), swap.baseDecimals, swap.quoteMint],
    ...[String(absolute(swap.poolQuoteDelta)), swap.quoteDecimals, flags],
    ...[timeMs, String(priceUsd), String(valueUsd)],
  ]);
}

const LOGGED_FLAGS: readonly TradeFlag[] = ['hop', 'arbitrage', 'round_trip', 'quarantined'];

/** Labels that are not in the log are compared separately. */
function shownOfTrade(trade: Trade): string {
  return JSON.stringify([
    ...[trade.slot, trade.txIndex, trade.outerIx, trade.innerIx, trade.signature],
    ...[trade.pool, trade.mint, trade.venue, trade.router, trade.terminal, trade.wallet],
    ...[trade.side, String(trade.baseRaw), trade.baseDecimals, trade.quoteMint],
    ...[String(trade.quoteRaw), trade.quoteDecimals],
    trade.flags.filter((flag) => LOGGED_FLAGS.includes(flag)),
    ...[trade.timeMs, String(trade.priceUsd), String(trade.valueUsd)],
  ]);
}

/** The swaps of the log, with what each trade must show. */
function valuedSwaps(slots: readonly SlotFacts[], changes: readonly SlotChanges[]) {
  const bySlot = Map.groupBy(swapsOfLog(slots), ({ facts }) => facts);
  const values = new NaiveTradeValues(FALLBACK_SOL_USD);
  return slots.flatMap((facts, index) => {
    values.begin(facts);
    const swaps = (bySlot.get(facts) ?? []).map((logged) => ({
      swap: logged.swap,
      shown: shownOfLog(logged, values.valueOf(logged.swap)),
    }));
    const change = changes[index];
    if (change !== undefined) values.end(change);
    return swaps;
  });
}

/** Canonical slots of a simulated market, and the trades in the books of its venues. */
function simulatedMarket() {
  const simulation = createSimulation({ ...eventfulMarket('trades'), votesPerBlock: 0 });
  const blocks: SimulatedBlock[] = [];
  while (blocks.length < SIMULATED_SLOTS) {
    const step = simulation.step();
    if (step?.isCanonical === true) blocks.push(step.block);
  }
  const books = blocks.flatMap(({ slot, transactions }) =>
    transactions
      .filter(({ error }) => error === null)
      .flatMap(({ facts }) => facts)
      .flatMap((fact) => (fact.kind === 'trade' ? [fact] : []))
      .map(({ pool, trader, side, baseRaw, quoteRaw }) =>
        [slot, pool, trader, side, baseRaw, quoteRaw].join(),
      ),
  );
  return { slots: blocks.map((block) => decodeBlock(toChainBlock(block))), books };
}

/** Swaps of one instruction on several pools are in order of their addresses. */
const isSorted = (trades: readonly Trade[]) =>
  trades.every((trade, index) => {
    const newer = trades[index - 1];
    if (newer === undefined || newer.slot !== trade.slot)
      return (newer?.slot ?? Infinity) >= trade.slot;
    if (newer.txIndex !== trade.txIndex) return newer.txIndex > trade.txIndex;
    return newer.outerIx >= trade.outerIx;
  });

describe('trades of all tokens, pools and wallets', () => {
  let folder: string;
  let plane: DataPlane;
  let epoch = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trades-'));
    plane = await openDataPlane({ dataDir: folder });
  });

  afterAll(async () => {
    await plane.close();
    rmSync(folder, { recursive: true });
  });

  /** Half of the slots are stored. */
  const halfStored = (slots: readonly SlotFacts[]) =>
    storeSlots(plane, slots, { epoch: ++epoch, stored: Math.floor(slots.length / 2) });

  /** Compares the trades of every key with the log; returns the trades by token. */
  async function expectTradesOfLog(
    { trades, changes }: StoredSlots,
    slots: readonly SlotFacts[],
  ): Promise<ReadonlyMap<Address, readonly Trade[]>> {
    const log = valuedSwaps(slots, changes);
    const bundled = new Set(
      changes.flatMap(({ bundles }) =>
        bundles.map(({ mint, slot, txIndex, owner }) => `${mint} ${slot} ${txIndex} ${owner}`),
      ),
    );
    const shownBy = {
      mint: Map.groupBy(log, ({ swap }) => swap.baseMint),
      pool: Map.groupBy(log, ({ swap }) => swap.pool),
      wallet: Map.groupBy(log, ({ swap }) => swap.trader),
    };
    const compare = async (kind: 'mint' | 'pool' | 'wallet', key: Address) => {
      const expected = shownBy[kind].get(key)?.map(({ shown }) => shown) ?? [];
      const listed = await everyTrade(trades, { [kind]: key });
      expect(listed.map(shownOfTrade).sort(), `${kind} ${key}`).toEqual(expected.sort());
      expect(isSorted(listed)).toBe(true);
      for (const { mint, slot, txIndex, wallet, flags } of listed) {
        const isBundled = bundled.has(`${mint} ${slot} ${txIndex} ${wallet}`);
        expect(flags.includes('bundled')).toBe(isBundled);
      }
      return listed;
    };
    const byMint = new Map<Address, readonly Trade[]>();
    for (const mint of shownBy.mint.keys()) byMint.set(mint, await compare('mint', mint));
    for (const pool of shownBy.pool.keys()) await compare('pool', pool);
    const wallets = [...shownBy.wallet.keys()].filter((trader) => trader !== null);
    for (let from = 0; from < wallets.length; from += WALLETS_AT_A_TIME) {
      const some = wallets.slice(from, from + WALLETS_AT_A_TIME);
      await Promise.all(some.map((wallet) => compare('wallet', wallet)));
    }
    process.stdout.write(
      `trades: ${log.length} rows of ${byMint.size} tokens, ${shownBy.pool.size} pools and ` +
        `${wallets.length} wallets\n`,
    );
    return byMint;
  }

  /** Sums of trades, and of the organic ones, as candles of 30 s have them. */
  function sumsOf(trades: readonly Trade[], isOrganicView: boolean) {
    const counted = trades.filter(({ flags, isOrganic }) => {
      return !flags.includes('quarantined') && (isOrganic || !isOrganicView);
    });
    const byCandle = Map.groupBy(counted, ({ timeMs }) => Math.floor(timeMs / BASE_CANDLE_MS));
    return [...byCandle].map(([index, own]) => ({
      openTimeMs: index * BASE_CANDLE_MS,
      trades: own.length,
      buys: own.filter(({ side }) => side === 'buy').length,
      baseVolumeRaw: own.reduce((sum, { baseRaw }) => sum + baseRaw, 0n),
      volumeUsd: own.reduce((sum, { valueUsd }) => sum + (valueUsd ?? 0n), 0n),
    }));
  }

  const sumsOfCandle = ({ openTimeMs, trades, buys, baseVolumeRaw, volumeUsd }: Candle) => ({
    ...{ openTimeMs, trades, buys, baseVolumeRaw, volumeUsd },
  });

  /** A store that has all slots: candles of both views are compared with the trades' sums. */
  async function expectCandleSums(
    slots: readonly SlotFacts[],
    byMint: ReadonlyMap<Address, readonly Trade[]>,
  ): Promise<number> {
    const whole = { epoch: ++epoch };
    await storeSlots(plane, slots, { ...whole, stored: slots.length });
    const candles = new StoredCandles(plane.fast, whole);
    let compared = 0;
    for (const [mint, trades] of byMint) {
      const byPool = Map.groupBy(trades, ({ pool }) => pool);
      for (const [scope, own] of [[mint, trades] as const, ...byPool]) {
        for (const view of ['all', 'organic'] as const) {
          const range = { scope, fromMs: 0, toMs: 2 ** 52, intervalMs: BASE_CANDLE_MS, view };
          const read = await candles.read(range);
          const sums = sumsOf(own, view === 'organic').reverse();
          expect(read.map(sumsOfCandle), `${scope} ${view}`).toEqual(sums);
          compared += read.length;
        }
      }
    }
    return compared;
  }

  /** Totals of each pool are the sums of its trades. */
  function expectPoolTotals(engine: StoredSlots['engine'], trades: Iterable<readonly Trade[]>) {
    const byPool = Map.groupBy([...trades].flat(), ({ pool }) => pool);
    for (const [pool, all] of byPool) {
      const own = all.filter(({ flags }) => !flags.includes('quarantined'));
      const sum = (side: Trade['side']) =>
        own.reduce((total, one) => total + (one.side === side ? (one.valueUsd ?? 0n) : 0n), 0n);
      const record = engine.pool(pool);
      if (own.length === 0) continue;
      expect([record?.buyVolumeUsd, record?.sellVolumeUsd], pool).toEqual([
        sum('buy'),
        sum('sell'),
      ]);
    }
  }

  test('are those of a simulated market row for row, with the amounts of its own books', async () => {
    const { slots, books } = simulatedMarket();
    const stored = await halfStored(slots);
    const byMint = await expectTradesOfLog(stored, slots);
    const trades = [...byMint.values()].flat();
    const shown = trades.map(({ slot, pool, wallet, side, baseRaw, quoteRaw }) =>
      [slot, pool, wallet, side, baseRaw, quoteRaw].join(),
    );
    expect(books.length).toBeGreaterThan(500);
    expect(shown.sort()).toEqual(books.sort());
    expect(await expectCandleSums(slots, byMint)).toBeGreaterThan(100);
    expectPoolTotals(stored.engine, byMint.values());
  });

  test.skipIf(!hasTestData).each(['chain', 'chain-2026'])(
    'are those of the recorded folder %s row for row',
    async (name) => {
      const slots: SlotFacts[] = [];
      for await (const item of createRecordedSource([resolve(testData, name)])) {
        if (item.kind === 'block') slots.push(decodeBlock(item.block));
      }
      const stored = await halfStored(slots);
      const byMint = await expectTradesOfLog(stored, slots);
      expect([...byMint.values()].flat().length).toBe(swapsOfLog(slots).length);
      expect(await expectCandleSums(slots, byMint)).toBeGreaterThan(20);
    },
    400_000,
  );
});
