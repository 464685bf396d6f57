import {
  CONTROL_MODEL,
  type Outcome,
  type Signal,
  type SignalModelName,
} from '../../model/signal.ts';
import type {
  FiguresPage,
  FiguresQuery,
  OutcomeListing,
  SignalListing,
  SignalPageQuery,
} from '../../model/signal-listing.ts';
import type { Address, Slot, UsdNano } from '../../model/units.ts';
import { decodeOutcome, decodeSignal } from '../codecs/signal-codec.ts';
import type { Lane } from '../sql/lane.ts';
import type { VisibleRows } from '../sql/visible-epoch.ts';
import {
  FIGURES_OF_OUTCOMES,
  FIGURES_OF_SIGNALS,
  pageOfSignals,
  type SignalRow,
} from './signal-sql.ts';

/** Maximum figures in one answer: one or two megabytes. */
const FIGURES_MAX = 10_000;

/** Signals and their outcomes as last written. */
export class StoredSignals {
  private readonly lane: Lane;
  private readonly visible: VisibleRows;

  constructor(lane: Lane, visible: VisibleRows) {
    this.lane = lane;
    this.visible = visible;
  }

  /** Newest first, without control signals (random minutes). */
  async page({
    fromMs,
    toMs,
    model,
    limit,
    beforeRowId,
  }: SignalPageQuery): Promise<SignalListing[]> {
    const { epoch } = this.visible;
    const signals = await this.lane.rows<SignalRow>(pageOfSignals(model !== null), {
      epoch,
      from: fromMs,
      to: toMs,
      limit,
      before: beforeRowId ?? Number.MAX_SAFE_INTEGER,
      model: model ?? CONTROL_MODEL,
    });
    const [newest, oldest] = [signals[0], signals.at(-1)];
    if (newest === undefined || oldest === undefined) return [];
    const outcomes = await this.outcomes(epoch, oldest.row_id, newest.row_id);
    return signals.flatMap((row) => {
      const outcome = outcomes.get(row.row_id);
      return outcome === undefined ? [] : [{ ...toListing(row), ...outcome }];
    });
  }

  /** Includes control signals (random minutes); null for an unknown id. */
  async signal(rowId: number): Promise<Signal | null> {
    const record = await this.record('signals', rowId);
    return record === null ? null : decodeSignal(record);
  }

  async outcome(rowId: number): Promise<Outcome | null> {
    const record = await this.record('signal_outcomes', rowId);
    return record === null ? null : decodeOutcome(record);
  }

  /**
   * Stored figures that the caller does not know yet; all figures if its epoch differs. Queries the
   * store only when more is visible than the caller knows; rows beyond that are not written yet.
   */
  async figures(known: FiguresQuery): Promise<Omit<FiguresPage, 'unwritten'>> {
    const { epoch, slot: storedSlot } = this.visible;
    const isSame = known.epoch === epoch;
    if (isSame && storedSlot !== null && known.afterSlot === storedSlot) {
      return { epoch, storedSlot, signals: '[]', outcomes: '[]', nextRowId: null };
    }
    const params = {
      epoch,
      from: isSame && known.afterSlot !== null ? known.afterSlot + 1 : 0,
      row: isSame ? known.afterRowId : 0,
      limit: FIGURES_MAX,
    };
    const [outcomes] = await this.lane.rows<FiguresRow>(FIGURES_OF_OUTCOMES, params);
    const isLast = Number(outcomes?.count ?? 0) < FIGURES_MAX;
    const last = isLast ? Number.MAX_SAFE_INTEGER : Number(outcomes?.last ?? 0);
    const [signals] = await this.lane.rows<FiguresRow>(FIGURES_OF_SIGNALS, { ...params, last });
    return {
      epoch,
      storedSlot,
      signals: signals?.figures ?? '[]',
      outcomes: outcomes?.figures ?? '[]',
      nextRowId: isLast ? null : last,
    };
  }

  private async record(table: string, rowId: number): Promise<string | null> {
    const [row] = await this.lane.rows<{ record: string }>(
      `SELECT record FROM ${table} FINAL WHERE epoch = {epoch:UInt32} AND row_id = {row:UInt64}`,
      { epoch: this.visible.epoch, row: rowId },
    );
    return row?.record ?? null;
  }

  private async outcomes(
    epoch: number,
    from: string,
    to: string,
  ): Promise<ReadonlyMap<string, OutcomeListing>> {
    const rows = await this.lane.rows<OutcomeRow>(
      'SELECT row_id, slot, ath_market_cap_usd, drawdown_market_cap_usd, roi_e9, drawdown_e9 ' +
        'FROM signal_outcomes FINAL ' +
        'WHERE epoch = {epoch:UInt32} AND row_id BETWEEN {from:UInt64} AND {to:UInt64}',
      { epoch, from, to },
    );
    return new Map(rows.map((row) => [row.row_id, toOutcome(row)]));
  }
}

interface FiguresRow {
  readonly figures: string;
  readonly last: string;
  readonly count: string;
}

interface OutcomeRow {
  readonly row_id: string;
  readonly slot: string;
  readonly ath_market_cap_usd: string;
  readonly drawdown_market_cap_usd: string;
  readonly roi_e9: string;
  readonly drawdown_e9: string;
}

function toListing(row: SignalRow): Omit<SignalListing, keyof OutcomeListing> {
  return {
    rowId: Number(row.row_id),
    model: row.model as SignalModelName,
    version: row.model_version,
    mint: row.mint as Address,
    pool: row.pool as Address,
    name: row.name,
    symbol: row.symbol,
    createdAtMs: Number(row.created_at_ms),
    marketCapUsd: BigInt(row.market_cap_usd) as UsdNano,
    liquidityUsd: BigInt(row.liquidity_usd) as UsdNano,
  };
}

function toOutcome(row: OutcomeRow): OutcomeListing {
  return {
    slot: Number(row.slot) as Slot,
    athMarketCapUsd: BigInt(row.ath_market_cap_usd) as UsdNano,
    maxDrawdownMarketCapUsd: BigInt(row.drawdown_market_cap_usd) as UsdNano,
    roiE9: BigInt(row.roi_e9),
    maxDrawdownE9: BigInt(row.drawdown_e9),
  };
}
