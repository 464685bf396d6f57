import type { Freshness, Standstill } from '../api/chain-status.ts';
import { liquidityUsdOf } from '../fold/market/pool-value.ts';
import { RecentMap } from '../lib/recent-map.ts';
import { steadyNowMs } from '../lib/steady-time.ts';
import type { PoolRecord } from '../model/derived.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import { type AnswerRange, type SlotGap, touchesGap } from '../model/slot-range.ts';
import type { Address, PriceE18 } from '../model/units.ts';
import type { LetGoRow, LiveAnswer, LiveKind, LiveRow, LiveValues } from './live-rows.ts';
import type { Publication } from './messages.ts';

/** How many rows of each kind are kept. */
export type LiveLimits = Readonly<Record<LiveKind, number>>;

/**
 * Tokens and pools are a kilobyte or two each, a list of holders up to twenty. Figures of a pool take
 * the thread that folds some 40 µs in each slot.
 */
export const LIVE_LIMITS: LiveLimits = {
  token: 10_000,
  pool: 10_000,
  holders: 1_000,
  indicators: 256,
};

/**
 * A row that changed in this many publications since it was read last is let go. A reader who comes
 * back later waits for the thread that folds, which costs that one more than telling it meanwhile: rows
 * are kept for some seconds of steady trading. Lists of holders are the longest by far.
 */
export const UNREAD_CHANGES_MAX: LiveLimits = {
  token: 40,
  pool: 40,
  holders: 20,
  indicators: 50,
};

interface Held {
  /** Of the newest answer that came of the row. */
  watchId: number;
  value: LiveValues[LiveKind];
  /** Changes since the row was read last. */
  unread: number;
  /** What a pool of SOL is valued at. */
  solUsd: PriceE18 | null;
}

/**
 * The rows that were asked for lately, each as it was at the newest slot that was published, so that
 * all of them together are the state after one slot. Rows that are let go are named to `onLetGo`.
 */
export class LiveView {
  private readonly tables: Readonly<Record<LiveKind, RecentMap<Address, Held>>>;
  private readonly onLetGo: (rows: readonly LetGoRow[]) => void;
  private readonly nowMs: () => number;
  private lastSlotMs: number | null = null;
  private newest: Omit<Publication, 'gaps' | 'rows' | 'isReplaced'> = {
    slot: null,
    timeMs: null,
    solUsd: null,
    standstill: null,
  };
  private gaps: SlotGap[] = [];
  private letGo: LetGoRow[] = [];
  readonly counts = { hits: 0, misses: 0, publications: 0 };

  /** `nowMs` is of a clock that nobody sets. */
  constructor(
    limits: LiveLimits,
    onLetGo: (rows: readonly LetGoRow[]) => void,
    nowMs: () => number = steadyNowMs,
  ) {
    this.nowMs = nowMs;
    this.tables = {
      token: new RecentMap(limits.token),
      pool: new RecentMap(limits.pool),
      holders: new RecentMap(limits.holders),
      indicators: new RecentMap(limits.indicators),
    };
    this.onLetGo = onLetGo;
  }

  /** What answers are true as of; `range` is the history that one speaks of. */
  freshness(range: AnswerRange = {}): Freshness {
    const { slot, timeMs } = this.newest;
    const isComplete = this.newest.standstill === null && !touchesGap(this.gaps, range);
    return { slot, timeMs, isComplete };
  }

  /** Since a slot beyond the one before it was published; null before any. */
  get sinceSlotMs(): number | null {
    return this.lastSlotMs === null ? null : this.nowMs() - this.lastSlotMs;
  }

  /** Null while what comes of the chain is stored and followed. */
  get standstill(): Standstill | null {
    return this.newest.standstill;
  }

  size(kind: LiveKind): number {
    return this.tables[kind].size;
  }

  /** Undefined for a row that is not kept. */
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

  /** Keeps rows that were asked for, as they are now. */
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
    if (gaps !== null) this.gaps = [...this.gaps.slice(0, gaps.kept), ...gaps.added];
    if (isReplaced) for (const table of Object.values(this.tables)) table.clear();
    for (const row of rows) this.update(row);
    this.nameLetGo();
  }

  private update({ kind, address, value }: LiveRow): void {
    const held = this.tables[kind].peek(address);
    // Let go a moment ago: the other side has not heard of it yet.
    if (held === undefined) return;
    held.value = value;
    held.solUsd = this.newest.solUsd;
    held.unread++;
    if (held.unread < UNREAD_CHANGES_MAX[kind]) return;
    this.tables[kind].delete(address);
    this.letGo.push({ kind, address, watchId: held.watchId });
  }

  /** The price of SOL changes more often than a pool does, and values all pools of SOL anew. */
  private value(held: Held): void {
    const { solUsd } = this.newest;
    if (held.solUsd === solUsd) return;
    held.solUsd = solUsd;
    const record = held.value as PoolRecord | null;
    if (record?.quoteMint !== WRAPPED_SOL) return;
    held.value = { ...record, liquidityUsd: liquidityUsdOf(record, solUsd) };
  }

  private nameLetGo(): void {
    if (this.letGo.length === 0) return;
    this.onLetGo(this.letGo);
    this.letGo = [];
  }
}
