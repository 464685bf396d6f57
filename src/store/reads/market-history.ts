import type { IndicatorRecord } from '../../model/indicators.ts';
import type {
  MarketPortion,
  RiskFinding,
  WindowCandle,
  WindowTrade,
} from '../../model/market-rows.ts';
import { asRawAmount, asUsdNano, type Slot } from '../../model/units.ts';
import { flag, int128, numeric, orNull, price, text, textOrEmpty } from '../sql/columns.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { allOrNone, columnsOfRecord } from '../sql/table.ts';
import { IS_VISIBLE, type VisibleEpoch } from '../sql/visible-epoch.ts';
import { newestIndicatorTable } from '../tables/indicator-tables.ts';

const candleColumns = columnsOfRecord<WindowCandle>({
  scope: text('scope'),
  openTimeMs: numeric('open_time_ms'),
  trades: numeric('trades'),
  buys: numeric('buys'),
  volumeUsd: int128('volume_usd', asUsdNano),
  baseVolumeRaw: int128('base_volume_raw', asRawAmount),
  pricedBaseVolumeRaw: int128('priced_base_volume_raw', asRawAmount),
  usd: allOrNone(
    columnsOfRecord({ open: price('usd_open'), close: price('usd_close') }),
    () => true,
  ),
});

const tradeColumns = columnsOfRecord<WindowTrade>({
  timeMs: numeric('time_ms'),
  pool: text('pool'),
  baseMint: text('base_mint'),
  trader: textOrEmpty('trader'),
  side: text('side'),
  valueUsd: orNull(int128('value_usd', asUsdNano)),
  isOrganic: flag('is_organic'),
});

const findingColumns = columnsOfRecord<RiskFinding>({
  id: text('id'),
  state: text('state'),
  finding: columnsOfRecord({ mint: text('mint'), confidence: numeric('confidence') }),
});

const toCandle = candleColumns.reader();
const toTrade = tradeColumns.reader();
const toFinding = findingColumns.reader();

/** Rows of slots before `beforeSlot` with a time from `fromMs` (inclusive) to `toMs` (exclusive). */
export interface PortionQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly beforeSlot: Slot;
}

/** One page in the order of a key. */
export interface KeyPage {
  /** The last key of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** Stored rows from which the market of the last day is computed again. */
export class MarketHistory {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /** Candles whose newest change is of an earlier slot, and trades that are not quarantined. */
  async portion({ fromMs, toMs, beforeSlot }: PortionQuery): Promise<MarketPortion> {
    const range = { from: fromMs, to: toMs, before: beforeSlot };
    const { layers } = this.reads;
    const [candles, trades] = await Promise.all([
      this.reads.all(CANDLES, toCandle, range, layers),
      this.reads.all(TRADES, toTrade, range, layers),
    ]);
    return { candles, trades };
  }

  /** The newest indicators of pools, by address. */
  async indicators({ after, limit }: KeyPage): Promise<readonly IndicatorRecord[]> {
    const minutes = await this.reads.all(INDICATORS, newestIndicatorTable.read, { after, limit });
    return minutes.map(({ record }) => record);
  }

  /** The newest version of each finding, by ID. */
  findings({ after, limit }: KeyPage): Promise<readonly RiskFinding[]> {
    return this.reads.all(FINDINGS, toFinding, { after, limit });
  }
}

const IN_RANGE = (time: string) =>
  `${IS_VISIBLE} AND ${time} >= {from:Int64} AND ${time} < {to:Int64} AND slot < {before:UInt64}`;
const SETTINGS = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

const CANDLES = `
SELECT ${candleColumns.names.join(', ')} FROM candles FINAL
WHERE ${IN_RANGE('open_time_ms')} ORDER BY open_time_ms, scope ${SETTINGS}`;

const TRADES = `
SELECT ${tradeColumns.names.join(', ')} FROM swaps FINAL
WHERE ${IN_RANGE('time_ms')} AND ifNull(exclusion, '') != 'quarantined'
ORDER BY time_ms ${SETTINGS}`;

const INDICATORS = `
SELECT ${newestIndicatorTable.columns.join(', ')} FROM newest_indicators FINAL
WHERE ${IS_VISIBLE} AND pool > {after:String} ORDER BY pool LIMIT {limit:UInt32}`;

const FINDINGS = `
SELECT ${findingColumns.names.join(', ')} FROM newest_classifications FINAL
WHERE ${IS_VISIBLE} AND id > {after:String} ORDER BY id LIMIT {limit:UInt32}`;
