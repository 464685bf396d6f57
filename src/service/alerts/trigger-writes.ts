import type { OpenFiring, OpenFirings } from '../../alerts/triggers/open-firings.ts';
import type { TurnJournal } from '../../alerts/triggers/turn-journal.ts';
import { DeferredWrites } from '../../lib/deferred-writes.ts';
import { StoreError } from '../../model/errors.ts';
import type { TriggerEvent } from '../../model/trigger.ts';
import type { TriggerTurn } from '../../model/trigger-turn.ts';
import type { FiringDraft, FiringLog } from '../../store/control/firings.ts';
import type { TriggerTruths } from '../../store/control/trigger-truths.ts';
import type { Store } from '../../store/store.ts';

/** Stores of triggers and firings. */
export type TriggerStore = Pick<Store, 'triggers' | 'firings' | 'together'> & {
  /** Forwards events within the transaction that stores them. */
  readonly forward?: (events: readonly TriggerEvent[]) => void;
};

/** State updated by writes, and the receiver of stored events. */
export interface WrittenTriggers {
  /** Tracks firings of slots that can still be reverted. */
  readonly open: OpenFirings;
  readonly journal: TurnJournal;
  readonly publish: (events: readonly TriggerEvent[]) => void;
}

/**
 * Stores trigger events and truth changes in one transaction and publishes the events afterwards.
 * Writes that follow from ingestion are never refused: they wait while the store fails for a
 * transient reason.
 */
export class TriggerWrites {
  private readonly state: { readonly finalSlot: number };
  private readonly truths: TriggerTruths;
  private readonly firings: FiringLog;
  private readonly together: Store['together'];
  private readonly forward: (events: readonly TriggerEvent[]) => void;
  private readonly open: OpenFirings;
  private readonly journal: TurnJournal;
  private readonly publish: (events: readonly TriggerEvent[]) => void;
  /** Writes for truth changes caused by ingestion. */
  private readonly deferred = new DeferredWrites();
  /** Slots up to this one are stored. */
  private storedTo = -1;
  /** Slots up to this one are stored or being stored. */
  private storingTo = -1;
  /** Number of published events by kind. */
  readonly counts = { fired: 0, retracted: 0 };

  /** `finalSlot` is read with each write: slots up to it cannot be reverted. */
  constructor(
    state: { readonly finalSlot: number },
    { triggers, firings, together, forward = () => undefined }: TriggerStore,
    { open, journal, publish }: WrittenTriggers,
  ) {
    this.state = state;
    this.truths = triggers.truths;
    this.firings = firings;
    this.together = together;
    this.forward = forward;
    this.open = open;
    this.journal = journal;
    this.publish = publish;
  }

  /** Sets the last stored slot at the start; -1 for none. */
  begin(slot: number): void {
    this.storedTo = slot;
    this.storingTo = slot;
  }

  /** Called before slots up to the final one are stored: stores their truth changes first. */
  keepDue(): void {
    const { finalSlot } = this.state;
    this.storedTo = this.storingTo;
    this.storingTo = finalSlot;
    this.deferred.add(() => {
      const due = this.journal.due(finalSlot);
      if (due.length === 0) return;
      this.together(() => this.truths.keep(due, this.storedTo));
      this.journal.settle(finalSlot);
    });
  }

  /** Stores and publishes firings and retractions caused by ingestion. */
  record(drafts: readonly FiringDraft[], lost: readonly OpenFiring[]): void {
    if (drafts.length === 0 && lost.length === 0) return;
    this.deferred.add(() => this.publishStored(this.together(() => this.write(drafts, lost))));
  }

  /**
   * Stores and publishes the changes after the engine was replaced; `lastSlot` is its newest slot,
   * -1 for none. Changes of final slots are stored as current truths; those of other slots stay
   * revertible.
   */
  recordReplaced(
    turns: readonly TriggerTurn[],
    drafts: readonly FiringDraft[],
    lastSlot: number,
  ): void {
    if (turns.length === 0) return;
    const { finalSlot } = this.state;
    const stay = turns.filter(({ slot }) => slot <= finalSlot);
    for (const turn of turns) if (turn.slot > finalSlot) this.journal.replace(turn);
    const untilNow = Math.min(finalSlot, lastSlot);
    this.deferred.add(() => {
      const events = this.together(() => {
        const written = this.write(drafts, []);
        for (const { key, isTrue } of stay) {
          // Firings from before the trigger became false do not apply to later slots.
          if (isTrue) this.truths.begin(key, true);
          else this.truths.begin(key, false, untilNow);
        }
        return written;
      });
      for (const { key, isTrue } of stay) this.journal.begin(key, isTrue);
      this.publishStored(events);
    });
  }

  /** Runs the waiting writes. Throws the error of the first that fails, which stays queued. */
  settle(): void {
    this.deferred.settle();
  }

  /**
   * Throws StoreError while writes are waiting: earlier firings must get their numbers before the
   * firings of a change.
   */
  assertKept(): void {
    if (!this.deferred.isWaiting) return;
    throw new StoreError('Earlier trigger firings cannot be written yet.', {
      isTransient: true,
    });
  }

  /** Writes within the caller's transaction. The caller calls `publishStored` after the commit. */
  write(drafts: readonly FiringDraft[], lost: readonly OpenFiring[]): TriggerEvent[] {
    const retractions = lost.length === 0 ? [] : this.firings.retract(lost);
    const firings = drafts.length === 0 ? [] : this.firings.add(drafts);
    const events: TriggerEvent[] = [
      ...retractions.map((retraction) => ({ kind: 'retracted', retraction }) as const),
      ...firings.map((firing) => ({ kind: 'fired', firing }) as const),
    ];
    this.forward(events);
    this.truths.keep(this.journal.due(this.state.finalSlot), this.storedTo);
    return events;
  }

  /** Publishes events that were written and committed. */
  publishStored(events: readonly TriggerEvent[]): void {
    const { finalSlot } = this.state;
    this.journal.settle(finalSlot);
    if (events.length === 0) return;
    for (const event of events) {
      if (event.kind === 'retracted') this.counts.retracted++;
      else {
        this.counts.fired++;
        if (event.firing.slot > finalSlot) this.open.add(event.firing);
      }
    }
    this.publish(events);
  }
}
