import type { Standstill } from '../api/chain-status.ts';
import type { FoldListener } from '../ingestion/fold-listener.ts';
import type { SlotGap } from '../model/slot-range.ts';
import { gapChange } from './gap-change.ts';
import type { LiveAnswer, LiveEngine, LiveRowName } from './live-rows.ts';
import type { Publication } from './messages.ts';
import type { WatchedRows } from './watched-rows.ts';

/** What is published: the engine that answers now, the gaps of what is held, and whether more comes. */
export interface Published {
  readonly engine: LiveEngine;
  readonly gaps: readonly SlotGap[];
  /** Null while what comes of the chain is stored and followed. */
  readonly standstill: Standstill | null;
}

type Told = Pick<Publication, 'slot' | 'timeMs' | 'solUsd' | 'standstill'> &
  Pick<Published, 'gaps'> &
  Pick<LiveEngine, 'lastBlockhash'>;

type NotedChanges = Parameters<WatchedRows['note']>[0];

const NOTHING_PUBLISHED: Told = {
  slot: null,
  timeMs: null,
  solUsd: null,
  standstill: null,
  gaps: [],
  lastBlockhash: null,
};

/**
 * Tells the API after each step of the fold what is true now: one publication for each slot that was
 * applied or taken back. While the API has not taken the last one in, steps are put together; so
 * nothing piles up in front of it.
 */
export class Publisher implements FoldListener {
  private readonly source: Published;
  private readonly watched: WatchedRows;
  private readonly post: (publication: Publication) => void;
  private told: Told = NOTHING_PUBLISHED;
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
    // When the step is over: what one step does is told at once.
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      if (this.unseen === 0 && this.isDue) this.publish();
    });
  }

  /** The API has taken one publication in. */
  seen(): void {
    this.unseen = Math.max(0, this.unseen - 1);
    if (this.unseen === 0 && this.isDue) this.publish();
  }

  /** Rows as they are now, from here on watched; everything before them is published first. */
  rows(names: readonly LiveRowName[]): LiveAnswer {
    return this.current((engine) => this.watched.watch(engine, names));
  }

  /** What is true as of the slot that was published last; everything before is published first. */
  current<Answer>(read: (engine: LiveEngine) => Answer): Answer {
    if (this.isDue) this.publish();
    return read(this.source.engine);
  }

  /** Tells what is another than it was told to be, and nothing where nothing is. */
  publish(): void {
    const { isReplaced, told } = this;
    const { engine, gaps, standstill } = this.source;
    const { lastSlot: slot, lastBlockhash, timeMs: clockMs, solUsd } = engine;
    const timeMs = slot === null || clockMs === 0 ? null : clockMs;
    const rows = this.watched.takeChanged(engine);
    const gapsChanged = gapChange(told.gaps, gaps);
    this.isDue = false;
    this.isReplaced = false;
    // Another block may have come to the same slot at the same time.
    const isSameBlock = told.slot === slot && told.lastBlockhash === lastBlockhash;
    const isSameState = told.standstill?.isLasting === standstill?.isLasting;
    const isSame = isSameBlock && isSameState && told.timeMs === timeMs && told.solUsd === solUsd;
    if (isSame && rows.length === 0 && gapsChanged === null && !isReplaced && this.hasReported)
      return;
    this.told = { slot, timeMs, solUsd, standstill, gaps, lastBlockhash };
    this.hasReported = true;
    this.unseen++;
    this.post({ slot, timeMs, solUsd, standstill, gaps: gapsChanged, isReplaced, rows });
  }
}
