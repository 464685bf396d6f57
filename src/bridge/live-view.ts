import type { Freshness, Standstill } from '../api/chain-status.ts';
import { ReachedSlots } from '../api/http/reached-slots.ts';
import { liquidityUsdOf } from '../fold/market/pool-value.ts';
import { RecentMap } from '../lib/recent-map.ts';
import { steadyNowMs } from '../lib/steady-time.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import { type AnswerRange, type SlotGap, touchesGap } from '../model/slot-range.ts';
import type { Address, PriceE18 } from '../model/units.ts';
import type { DroppedRow, LiveAnswer, LiveKind, LiveRow, LiveValues } from './live-rows.ts';
import type { Publication } from './messages.ts';

/** Maximum number of cached rows by kind. */
export type LiveLimits = Readonly<Record<LiveKind, number>>;

/**
 * Tokens and pools use one or two kilobytes each, a list of holders up to twenty. Computing the
 * indicators of a pool takes about 40 µs of the ingestion thread per slot.
 */
export const LIVE_LIMITS: LiveLimits = {
  token: 10_000,
  pool: 10_000,
  holders: 1_000,
  indicators: 256,
};

/**
 * A row is dropped after this many publications with changes since it was last read. A later read
 * has to wait for the ingestion thread and costs it more than publishing a few changes, so rows are
 * kept for several seconds of steady trading. Lists of holders are by far the largest.
 */
export const UNREAD_CHANGES_MAX: LiveLimits = {
  token: 40,
  pool: 40,
  holders: 20,
  indicators: 50,
};

interface CachedRow {
  /** `watchId` of the newest answer received for the row. */
  watchId: number;
  value: LiveValues[LiveKind];
  /** Number of changes since the row was last read. */
  unread: number;
  /** SOL price used for the value of a SOL pool. */
  solUsd: PriceE18 | null;
}

/**
 * Cache of recently requested rows, all as of the newest published slot. Dropped rows are reported
 * to `onLetGo`.
 */
export class LiveView {
  private readonly tables: Readonly<Record<LiveKind, RecentMap<Address, CachedRow>>>;
  private readonly onDropped: (rows: readonly DroppedRow[]) => void;
  private readonly nowMs: () => number;
  private lastSlotMs: number | null = null;
  private newest: Omit<Publication, 'gaps' | 'rows' | 'isReplaced'> = {
    slot: null,
    timeMs: null,
    solUsd: null,
    storedAhead: null,
    standstill: null,
  };
  private gaps: SlotGap[] = [];
  private letGo: DroppedRow[] = [];
  /** Slots that answers were as of. */
  readonly reached = new ReachedSlots();
  readonly counts = { hits: 0, misses: 0, publications: 0 };

  /** `nowMs` is a monotonic clock. */
  constructor(
    limits: LiveLimits,
    onDropped: (rows: readonly DroppedRow[]) => void,
    nowMs: () => number = steadyNowMs,
  ) {
    this.nowMs = nowMs;
    this.tables = {
      token: new RecentMap(limits.token),
      pool: new RecentMap(limits.pool),
      holders: new RecentMap(limits.holders),
      indicators: new RecentMap(limits.indicators),
    };
    this.onDropped = onDropped;
  }

  /** Slot and completeness of responses; `range` is the history a response covers. */
  freshness(range: AnswerRange = {}): Freshness {
    const { newest } = this;
    const { slot, timeMs } = (range.isStored === true ? newest.storedAhead : null) ?? newest;
    const isComplete = this.newest.standstill === null && !touchesGap(this.gaps, range);
    return { slot, timeMs, isComplete };
  }

  /** Milliseconds since a higher slot was published; null before the first. */
  get sinceSlotMs(): number | null {
    return this.lastSlotMs === null ? null : this.nowMs() - this.lastSlotMs;
  }

  /** Null while chain data is stored and followed normally. */
  get standstill(): Standstill | null {
    return this.newest.standstill;
  }

  size(kind: LiveKind): number {
    return this.tables[kind].size;
  }

  /** Undefined for a row that is not cached. */
  get<Kind extends LiveKind>(kind: Kind, address: Address): LiveValues[Kind] | undefined {
    const held = this.tables[kind].get(address);
    if (held === undefined) {
      this.counts.misses++;
      return undefined;
    }
    this.counts.hits++;
    held.unread = 0;
    if (kind === 'pool') this.value(held);
    return held.value as LiveValues[Kind];
  }

  /** Caches the rows of an answer. */
  keep({ watchId, rows }: LiveAnswer): void {
    for (const { kind, address, value } of rows) {
      const { solUsd } = this.newest;
      const gone = this.tables[kind].set(address, { watchId, value, unread: 0, solUsd });
      if (gone !== null) this.letGo.push({ kind, address: gone.key, watchId: gone.value.watchId });
    }
    this.nameLetGo();
  }

  publish({ gaps, rows, isReplaced, ...newest }: Publication): void {
    this.counts.publications++;
    if ((newest.slot ?? -1) > (this.newest.slot ?? -1)) this.lastSlotMs = this.nowMs();
    this.newest = newest;
    this.reached.publish(newest.slot);
    if (gaps !== null) this.gaps = [...this.gaps.slice(0, gaps.kept), ...gaps.added];
    if (isReplaced) for (const table of Object.values(this.tables)) table.clear();
    for (const row of rows) this.update(row);
    this.nameLetGo();
  }

  private update({ kind, address, value }: LiveRow): void {
    const cached = this.tables[kind].peek(address);
    // Dropped a moment ago, and the other thread has not been notified yet.
    if (cached === undefined) return;
    cached.value = value;
    cached.solUsd = this.newest.solUsd;
    cached.unread++;
    if (cached.unread < UNREAD_CHANGES_MAX[kind]) return;
    this.tables[kind].delete(address);
    this.letGo.push({ kind, address, watchId: cached.watchId });
  }

  /** Revalues a SOL pool: the SOL price changes more often than the pool does. */
  private value(cached: CachedRow): void {
    const { solUsd } = this.newest;
    if (cached.solUsd === solUsd) return;
    cached.solUsd = solUsd;
    const record = cached.value as PoolRecord | null;
    if (record?.quoteMint !== WRAPPED_SOL) return;
    cached.value = { ...record, liquidityUsd: liquidityUsdOf(record, solUsd) };
  }

  private nameLetGo(): void {
    if (this.letGo.length === 0) return;
    this.onDropped(this.letGo);
    this.letGo = [];
  }
}
