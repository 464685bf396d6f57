import { formatDriftState, parseDriftState } from '../fold/venue-drift/drift-state.ts';
import { type DriftShare, DriftTracker } from '../fold/venue-drift/drift-tracker.ts';
import { DeferredWrites } from '../lib/deferred-writes.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { VenueAlarm, VenueChange } from '../model/venue-change.ts';
import type { FoldListener } from './fold-listener.ts';

/** Slots after which the state is kept though nothing changed. */
const KEPT_EVERY_SLOTS = 150;

/** Where the state lies between two runs. */
export interface DriftStore {
  readonly drift: { read(): string | null; write(text: string): void };
  together<Result>(work: () => Result): Result;
}

export interface DriftHooks {
  /** Something began or ended; in the transaction that keeps it. */
  readonly put: (changes: readonly VenueChange[]) => void;
  /** It is kept. */
  readonly onChanges: (changes: readonly VenueChange[]) => void;
}

/**
 * Watches the programs of the slots that become final for changes. Its state is no part of the fold's:
 * it counts what came, in the order in which it came, and folding the log again changes nothing. What
 * begins and ends is kept in one transaction with what is put in for it, so that a kill makes none
 * lost or double; of the counts a kill may lose the last minute.
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

  /** Alarms that go on, by program. */
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
