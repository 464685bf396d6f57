import type { Standstill } from '../api/chain-status.ts';
import type { FoldListener } from '../ingestion/fold-listener.ts';
import { isStateFailure } from '../ingestion/state-failure.ts';
import type { AsOf } from '../model/as-of.ts';
import { ApiError } from '../model/errors.ts';
import type { SlotGap, StoredPoint } from '../model/slot-range.ts';
import { gapChange } from './gap-change.ts';
import type { LiveAnswer, LiveEngine, LiveRow, LiveRowName } from './live-rows.ts';
import type { Publication } from './messages.ts';
import type { WatchedRows } from './watched-rows.ts';

/**
 * The published state: the current engine, the known gaps, and whether ingestion is at a
 * standstill.
 */
export interface Published {
  readonly engine: LiveEngine;
  readonly gaps: readonly SlotGap[];
  /** The end of the stored rows while they are ahead of the engine. */
  readonly storedAhead: StoredPoint | null;
  /** Whether the values of the engine are those of no slot, because it is being replaced. */
  readonly isRebuilding: boolean;
  /** Null while chain data is stored and followed normally. */
  readonly standstill: Standstill | null;
}

/** The answer while the state is computed again. */
export const REBUILDING = 'The current state is being computed again: try again later.';

type PublishedState = Pick<
  Publication,
  'slot' | 'timeMs' | 'solUsd' | 'storedAhead' | 'standstill'
> &
  Pick<Published, 'gaps'> &
  Pick<LiveEngine, 'lastBlockhash'>;

type NotedChanges = Parameters<WatchedRows['note']>[0];

const NOTHING_PUBLISHED: PublishedState = {
  slot: null,
  timeMs: null,
  solUsd: null,
  storedAhead: null,
  standstill: null,
  gaps: [],
  lastBlockhash: null,
};

/**
 * Publishes the current state to the API after each step of the fold: one publication per applied
 * or reverted slot. While the API has not processed the last publication, steps are merged, so that
 * the backlog is bounded.
 */
export class Publisher implements FoldListener {
  private readonly source: Published;
  private readonly watched: WatchedRows;
  private readonly post: (publication: Publication) => void;
  private last: PublishedState = NOTHING_PUBLISHED;
  private hasReported = false;
  private isDue = false;
  private isScheduled = false;
  private isReplaced = false;
  private unseen = 0;

  constructor(source: Published, watched: WatchedRows, post: (publication: Publication) => void) {
    this.source = source;
    this.watched = watched;
    this.post = post;
  }

  onApplied(changes: NotedChanges): void {
    this.watched.note(changes);
    this.onStep();
  }

  onReverted(changes: NotedChanges): void {
    this.onApplied(changes);
  }

  onReplaced(): void {
    this.watched.clear();
    this.isReplaced = true;
    this.onStep();
  }

  onStep(): void {
    this.isDue = true;
    // Deferred to the end of the step, so that all its changes are published at once.
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      if (this.unseen === 0 && this.isDue) this.publish();
    });
  }

  /** The API has processed a publication. */
  seen(): void {
    this.unseen = Math.max(0, this.unseen - 1);
    if (this.unseen === 0 && this.isDue) this.publish();
  }

  /** Starts watching rows and returns their current values; pending changes are published first. */
  rows(names: readonly LiveRowName[]): LiveAnswer {
    return this.current((engine) => this.watched.watch(engine, names));
  }

  /**
   * Reads the engine as of the last published slot; pending changes are published first. Throws
   * ApiError while the engine is being replaced.
   */
  current<Answer>(read: (engine: LiveEngine) => Answer): Answer {
    if (this.source.isRebuilding) throw new ApiError(503, REBUILDING);
    if (this.isDue) this.publish();
    return read(this.source.engine);
  }

  /** As `current`, with the slot that the answer is as of. */
  asOf<Data>(read: (engine: LiveEngine) => Data): AsOf<Data> {
    return this.current((engine) => {
      const { slot, timeMs } = this.last;
      return { slot, timeMs, data: read(engine) };
    });
  }

  /** Publishes everything that has changed since the last publication, if anything has. */
  publish(): void {
    // `onReplaced` follows.
    if (this.source.isRebuilding) return;
    const { last } = this;
    const { engine, gaps, storedAhead, standstill } = this.source;
    const { lastSlot: slot, lastBlockhash, timeMs: clockMs, solUsd } = engine;
    const timeMs = slot === null || clockMs === 0 ? null : clockMs;
    const rows = this.changedRows(engine);
    const { isReplaced } = this;
    const gapsChanged = gapChange(last.gaps, gaps);
    this.isDue = false;
    this.isReplaced = false;
    // A different block may have been applied with the same slot and time.
    const isSameBlock = last.slot === slot && last.lastBlockhash === lastBlockhash;
    const isSameState =
      last.standstill?.isLasting === standstill?.isLasting &&
      last.standstill?.isContradicted === standstill?.isContradicted &&
      last.storedAhead?.slot === storedAhead?.slot;
    const isSame = isSameBlock && isSameState && last.timeMs === timeMs && last.solUsd === solUsd;
    if (isSame && rows.length === 0 && gapsChanged === null && !isReplaced && this.hasReported)
      return;
    this.last = { slot, timeMs, solUsd, storedAhead, standstill, gaps, lastBlockhash };
    this.hasReported = true;
    this.unseen++;
    const state = { slot, timeMs, solUsd, storedAhead, standstill };
    this.post({ ...state, gaps: gapsChanged, isReplaced, rows });
  }

  /**
   * Where the state cannot be read, the API drops its rows and asks again for those that it needs:
   * one that lastingly cannot be read is then refused, and no other.
   */
  private changedRows(engine: LiveEngine): readonly LiveRow[] {
    try {
      return this.watched.takeChanged(engine);
    } catch (error) {
      if (!isStateFailure(error)) throw error;
      this.watched.clear();
      this.isReplaced = true;
      return [];
    }
  }
}
