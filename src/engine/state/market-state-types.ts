import type { CandleSums } from '../../fold/market/candle-sums.ts';
import { CandleBook } from '../../fold/market/candles.ts';
import { HolderBook } from '../../fold/market/holders.ts';
import { LOCK_LAYOUT, LP_MINT_LAYOUT } from '../../fold/market/lock-row.ts';
import { LockBook } from '../../fold/market/locks.ts';
import { LogicalClock } from '../../fold/market/logical-time.ts';
import type { MintHolders } from '../../fold/market/mint-holders.ts';
import { OpenCandle } from '../../fold/market/open-candle.ts';
import { PoolPrice } from '../../fold/market/pool-price.ts';
import { PoolBook } from '../../fold/market/pools.ts';
import type { PriceRanges } from '../../fold/market/price-ranges.ts';
import { RobustPriceBook } from '../../fold/market/robust-price.ts';
import { SandwichWatch } from '../../fold/market/sandwich.ts';
import { type MinuteReferences, SolPriceBook } from '../../fold/market/sol-price.ts';
import { MinuteTrades, type PoolMinute } from '../../fold/market/sol-price-minute.ts';
import { TokenBook } from '../../fold/market/tokens.ts';
import { type HolderNode, TopHolders } from '../../fold/market/top-holders.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import type { GraphClass, GraphRecord } from '../../lib/graph-types.ts';
import { layoutRecord } from '../../lib/row-layout.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { OpenHighLowClose, SolPrice } from '../../model/derived.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import type { PriceE18 } from '../../model/units.ts';
import { POOL_RECORDS } from './pool-state-types.ts';
import { record } from './state-record.ts';
import { TOKEN_RECORDS } from './token-state-types.ts';

const NO_JOURNAL = { relabelled: () => undefined, settled: () => undefined };
const NO_CANDLE = { scope: SYSTEM_PROGRAM, openTimeMs: 0, isPool: false, baseDecimals: 0 };

/**
 * Graph classes of the market books. Engine options and the undo log are kept, not restored from
 * bytes.
 */
export function marketClassesOf(fallbackUsd: PriceE18 | null, undo: UndoLog): GraphClass[] {
  const kept = ['undo'];
  return [
    { name: 'LogicalClock', create: () => new LogicalClock(undo), kept },
    {
      name: 'SolPriceBook',
      create: () => new SolPriceBook({ fallbackUsd }, undo),
      kept: ['undo', 'fallbackUsd'],
    },
    { name: 'MinuteTrades', create: () => new MinuteTrades(undo), kept },
    { name: 'TokenBook', create: () => new TokenBook(undo), kept },
    { name: 'PoolBook', create: () => new PoolBook(undo), kept },
    {
      name: 'RobustPriceBook',
      create: () => new RobustPriceBook({}, undo),
      // Pools report to the journal, whose functions belong to this book.
      kept: ['undo', 'journal', 'poolsMax'],
    },
    { name: 'PoolPrice', create: () => new PoolPrice(SYSTEM_PROGRAM, NO_JOURNAL, undo), kept },
    { name: 'SandwichWatch', create: () => new SandwichWatch(undo), kept },
    { name: 'CandleBook', create: () => new CandleBook(undo), kept },
    { name: 'OpenCandle', create: () => new OpenCandle(NO_CANDLE, undo), kept },
    { name: 'HolderBook', create: () => new HolderBook(undo), kept },
    { name: 'TopHolders', create: () => new TopHolders() },
    { name: 'LockBook', create: () => new LockBook(new AddressIds(undo), undo) },
  ];
}

/** Records of the market books. Their order is part of the layout. */
export const MARKET_RECORDS: readonly GraphRecord[] = [
  ...TOKEN_RECORDS,
  ...POOL_RECORDS,
  record<CandleSums>('candle sums', {
    baseVolumeRaw: 'always',
    quoteVolumeRaw: 'always',
    volumeUsd: 'always',
    pricedBaseVolumeRaw: 'always',
    trades: 'always',
    buys: 'always',
    sells: 'always',
  }),
  record<PriceRanges>('price ranges', { quote: 'always', usd: 'always' }),
  record<OpenHighLowClose>('price range', {
    open: 'always',
    high: 'always',
    low: 'always',
    close: 'always',
  }),
  record<MinuteReferences>('SOL price of a minute', {
    minuteMs: 'always',
    strong: 'always',
    weak: 'always',
  }),
  record<SolPrice>('SOL price', { minuteMs: 'always', usd: 'always', slot: 'always' }),
  record<PoolMinute>('pool in a minute', {
    pool: 'always',
    depthUsdNano: 'always',
    strongQuoteUsdNano: 'always',
    strongBaseRaw: 'always',
    weakQuoteUsdNano: 'always',
    weakBaseRaw: 'always',
  }),
  record<MintHolders>('holders of a mint', {
    mint: 'always',
    owners: 'always',
    order: 'always',
    excluded: 'always',
  }),
  record<HolderNode>('holder', {
    owner: 'always',
    mint: 'always',
    balanceRaw: 'always',
    asideRaw: 'always',
    firstSeenMs: 'always',
    slot: 'always',
    isOut: 'always',
    left: 'always',
    right: 'always',
    size: 'always',
  }),
  layoutRecord('LP mint', LP_MINT_LAYOUT),
  layoutRecord('lock', LOCK_LAYOUT),
  { name: 'total of tokens', fields: { contradictions: 'always' } },
  { name: 'total of candles', fields: { candles: 'always' } },
  { name: 'total of holders', fields: { contradictions: 'always', ownerless: 'always' } },
];
