import type { OpenFiring, OpenFirings } from '../alerts/triggers/open-firings.ts';
import type { TurnJournal } from '../alerts/triggers/turn-journal.ts';
import { DeferredWrites } from '../lib/deferred-writes.ts';
import { StoreError } from '../model/errors.ts';
import type { TriggerEvent } from '../model/trigger.ts';
import type { TriggerTurn } from '../model/trigger-turn.ts';
import type { FiringDraft, FiringLog } from '../store/control/firings.ts';
import type { TriggerTruths } from '../store/control/trigger-truths.ts';
import type { Store } from '../store/store.ts';

/** Where triggers and firings are kept. */
export type TriggerStore = Pick<Store, 'triggers' | 'firings' | 'together'> & {
  /** Takes what is told further, in the transaction that keeps it. */
  readonly forward?: (events: readonly TriggerEvent[]) => void;
};

/** What is written of, and who is told of it once it is. */
export interface WrittenTriggers {
  /** Takes firings of slots that may be taken back. */
  readonly open: OpenFirings;
  readonly journal: TurnJournal;
  readonly tell: (events: readonly TriggerEvent[]) => void;
}

/**
 * Keeps what triggers told and with which slots they turned, in one transaction, and only then tells
 * it. What follows from the fold is refused by nobody: it waits while the store fails for a reason
 * that may pass.
 */
export class TriggerWrites {
  private readonly state: { readonly finalSlot: number };
  private readonly truths: TriggerTruths;
  private readonly firings: FiringLog;
  private readonly together: Store['together'];
  private readonly forward: (events: readonly TriggerEvent[]) => void;
  private readonly open: OpenFirings;
  private readonly journal: TurnJournal;
  private readonly tell: (events: readonly TriggerEvent[]) => void;
  /** What the fold made true or untrue. */
  private readonly deferred = new DeferredWrites();
  /** Up to here slots are stored for sure. */
  private storedTo = -1;
  /** Up to here they are, or are being stored. */
  private storingTo = -1;
  /** Events that were told, by kind. */
  readonly counts = { fired: 0, retracted: 0 };

  /** `finalSlot` is asked for with each write: up to there nothing is taken back. */
  constructor(
    state: { readonly finalSlot: number },
    { triggers, firings, together, forward = () => undefined }: TriggerStore,
    { open, journal, tell }: WrittenTriggers,
  ) {
    this.state = state;
    this.truths = triggers.truths;
    this.firings = firings;
    this.together = together;
    this.forward = forward;
    this.open = open;
    this.journal = journal;
    this.tell = tell;
  }

  /** Slots up to this one are stored at the start; -1 for none. */
  begin(slot: number): void {
    this.storedTo = slot;
    this.storingTo = slot;
  }

  /** Slots up to the final one are about to be stored: what turned with them is kept first. */
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

  /** Keeps and tells what the fold made true, and what it took back. */
  record(drafts: readonly FiringDraft[], lost: readonly OpenFiring[]): void {
    if (drafts.length === 0 && lost.length === 0) return;
    this.deferred.add(() => this.told(this.together(() => this.write(drafts, lost))));
  }

  /**
   * The same of another fold whose newest slot is `lastSlot`, -1 for none. What slots that stay say by
   * it is kept as it is now; of others it may be taken back.
   */
  recordAnew(
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
          // Firings from before it was not true tell of nothing that comes later.
          if (isTrue) this.truths.begin(key, true);
          else this.truths.begin(key, false, untilNow);
        }
        return written;
      });
      for (const { key, isTrue } of stay) this.journal.begin(key, isTrue);
      this.told(events);
    });
  }

  /** Does what waits. Throws what the next of it failed with, which then waits on. */
  settle(): void {
    this.deferred.settle();
  }

  /**
   * What fired before a change has its number before what fires with it: throws StoreError while
   * something waits.
   */
  assertKept(): void {
    if (!this.deferred.isWaiting) return;
    throw new StoreError('What triggers fired before cannot be written yet.', {
      isTransient: true,
    });
  }

  /** For whoever is in a transaction, and calls `told` once that is over. */
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

  /** Of what was written, and is kept by now. */
  told(events: readonly TriggerEvent[]): void {
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
    this.tell(events);
  }
}
