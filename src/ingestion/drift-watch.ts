import { formatDriftState, parseDriftState } from '../fold/venue-drift/drift-state.ts';
import { type DriftShare, DriftTracker } from '../fold/venue-drift/drift-tracker.ts';
import { DeferredWrites } from '../lib/deferred-writes.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { VenueAlarm, VenueChange } from '../model/venue-change.ts';
import type { FoldListener } from './fold-listener.ts';

/** Number of slots after which the state is stored even without changes. */
const KEPT_EVERY_SLOTS = 150;

/** Store of the state between runs. */
export interface DriftStore {
  readonly drift: { read(): string | null; write(text: string): void };
  together<Result>(work: () => Result): Result;
}

export interface DriftHooks {
  /** Called when alarms begin or end, within the transaction that stores the state. */
  readonly put: (changes: readonly VenueChange[]) => void;
  /** Called after the transaction has been committed. */
  readonly onChanges: (changes: readonly VenueChange[]) => void;
}

/**
 * Watches programs in final slots for decoding changes. Its state is not part of the fold: it
 * counts slots in order of arrival, and a refold does not change it. The begin and end of alarms
 * are stored in one transaction with the resulting events, so a crash neither loses nor repeats
 * them. A crash may lose the counts of the last minute.
 */
export class DriftWatch implements Pick<FoldListener, 'onFinalised' | 'onBeforeWrite' | 'settle'> {
  private readonly store: DriftStore;
  private readonly hooks: DriftHooks;
  private readonly tracker: DriftTracker;
  private readonly writes = new DeferredWrites();
  private keptSlot: number;

  constructor(store: DriftStore, hooks: DriftHooks) {
    this.store = store;
    this.hooks = hooks;
    const text = store.drift.read();
    const state = text === null ? null : parseDriftState(text);
    this.tracker = state === null ? new DriftTracker() : new DriftTracker(state);
    this.keptSlot = this.tracker.lastSlot;
  }

  /** Active alarms, by program. */
  get alarms(): readonly VenueAlarm[] {
    return this.tracker.alarms;
  }

  get shares(): readonly DriftShare[] {
    return this.tracker.shares;
  }

  onFinalised(facts: SlotFacts, timeMs: number | null): void {
    const changes = this.tracker.take(facts, timeMs);
    if (changes.length === 0) return;
    this.writes.add(() => {
      const keptSlot = this.store.together(() => {
        this.hooks.put(changes);
        return this.keep();
      });
      this.keptSlot = keptSlot;
      this.hooks.onChanges(changes);
    });
  }

  onBeforeWrite(): void {
    if (this.tracker.lastSlot - this.keptSlot < KEPT_EVERY_SLOTS) return;
    this.writes.add(() => {
      this.keptSlot = this.store.together(() => this.keep());
    });
  }

  settle(): void {
    this.writes.settle();
  }

  private keep(): number {
    this.store.drift.write(formatDriftState(this.tracker.state));
    return this.tracker.lastSlot;
  }
}
