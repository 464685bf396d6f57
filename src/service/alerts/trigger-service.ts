import { type OpenFiring, OpenFirings } from '../../alerts/triggers/open-firings.ts';
import {
  type Before,
  sortStartingFirings,
  truthsBefore,
} from '../../alerts/triggers/starting-firings.ts';
import {
  type FigureSources,
  type Fired,
  NO_SOURCES,
  type TriggerBook,
} from '../../alerts/triggers/trigger-book.ts';
import { TurnJournal } from '../../alerts/triggers/turn-journal.ts';
import type { FoldListener } from '../../ingestion/fold-listener.ts';
import {
  areMixed,
  areOfCrossing,
  type StoredTrigger,
  type TriggerConditions,
  type TriggerEvent,
  type TriggerEvents,
  type TriggerEventsQuery,
  type TriggerName,
  type TriggerOutcome,
  type TriggerPage,
  type TriggerPageQuery,
  type TriggerRequest,
} from '../../model/trigger.ts';
import type { KnownTruth, TriggerTurn } from '../../model/trigger-turn.ts';
import type { Slot } from '../../model/units.ts';
import type { FiringDraft, FiringLog } from '../../store/control/firings.ts';
import type { StoredTriggers, TriggerChange } from '../../store/control/triggers.ts';
import type { Store } from '../../store/store.ts';
import { toDraft } from './firing-draft.ts';
import { JudgedTargets, type TriggerChanges } from './judged-targets.ts';
import { slotOf, stateOf, type TargetRecords } from './target-states.ts';
import { outcomeOf } from './trigger-outcome.ts';
import { type TriggerStore, TriggerWrites } from './trigger-writes.ts';
import { WatchedTriggers } from './watched-triggers.ts';

/** The state that triggers are evaluated against. */
export interface JudgedState {
  readonly engine: TargetRecords & { readonly lastSlot: Slot | null };
  /** Slots up to this one cannot be reverted. */
  readonly finalSlot: number;
}

/**
 * Evaluates triggers after each slot on the ingestion thread. Firings are stored before they are
 * published. Added, changed and removed triggers take effect immediately: conditions that are
 * already true fire together with the change, unless they are of a crossing.
 */
export class TriggerService implements FoldListener {
  private readonly state: JudgedState;
  private readonly triggers: StoredTriggers;
  private readonly firings: FiringLog;
  private readonly together: Store['together'];
  private readonly watched: WatchedTriggers;
  private readonly book: TriggerBook;
  private readonly open = new OpenFirings();
  private readonly journal = new TurnJournal();
  private readonly writes: TriggerWrites;
  private readonly judged: JudgedTargets;

  constructor(
    state: JudgedState,
    store: TriggerStore,
    publish: (events: readonly TriggerEvent[]) => void,
    sources: FigureSources = NO_SOURCES,
  ) {
    this.state = state;
    this.watched = new WatchedTriggers(sources, (target) => stateOf(state.engine, target).pool);
    this.book = this.watched.onFigures;
    this.judged = new JudgedTargets(this.book, () => state.engine, sources);
    this.triggers = store.triggers;
    this.firings = store.firings;
    this.together = store.together;
    const { open, journal } = this;
    this.writes = new TriggerWrites(state, store, { open, journal, publish });
    this.restore();
  }

  /** Number of active triggers. */
  get size(): number {
    return this.watched.size;
  }

  /** Number of published events by kind. */
  get counts(): TriggerWrites['counts'] {
    return this.writes.counts;
  }

  onApplied(changes: TriggerChanges): void {
    const { slot } = changes;
    const risen = this.book.changed(this.judged.ofApplied(changes), ({ key }, isTrue) =>
      this.journal.note(key, slot, isTrue),
    );
    const hit = this.watched.firedForHits(changes.ruleHits ?? []);
    const fired = [
      ...this.judged.due(risen.filter((one) => !this.open.confirm(one, slot))),
      ...hit.filter((one) => !this.open.confirm(one, slot)),
    ];
    const lost = this.open.takeLost(slot);
    this.writes.record(
      fired.map((one) => toDraft(one, slot)),
      lost,
    );
    if (this.open.size > 0) this.open.finalise(this.state.finalSlot);
  }

  onReverted(changes: TriggerChanges): void {
    const { slot } = changes;
    const { engine } = this.state;
    const backTo = engine.lastSlot ?? -1;
    const keys = this.journal.revert(slot);
    this.book.wentBack(this.judged.ofReverted(changes), ({ key }, isTrue) =>
      this.journal.note(key, backTo, isTrue),
    );
    for (const key of keys) this.journal.note(key, backTo, this.book.isTrue(key));
    this.open.wentBack(slot, (...args) => this.book.isTrue(...args));
  }

  /**
   * Re-evaluates all triggers against the new engine: new truths fire, earlier firings are kept.
   * Those that use the table of the market follow when it is complete again.
   */
  onReplaced(): void {
    this.judged.replaced();
    const { engine } = this.state;
    const states = this.book.targets().map((target) => stateOf(engine, target));
    const turns: TriggerTurn[] = [];
    const onTurn = ({ key, target }: StoredTrigger, isTrue: boolean) => {
      turns.push({ key, slot: slotOf(engine, target) ?? -1, isTrue });
    };
    const drafts = this.book.changed(states, onTurn).map((fired) => this.toPresentDraft(fired));
    const { lastSlot } = engine;
    this.writes.recordReplaced(turns, drafts, lastSlot ?? -1);
  }

  /** Stores truth changes of final slots before the slots themselves. */
  onBeforeWrite(): void {
    this.writes.keepDue();
  }

  settle(): void {
    this.writes.settle();
  }

  onStep(): void {
    // Steps without pool changes cannot change a trigger.
  }

  add(request: TriggerRequest): TriggerOutcome {
    return this.change(() => this.triggers.add(request));
  }

  update(name: TriggerName, conditions: TriggerConditions): TriggerOutcome {
    return this.change(() => this.triggers.update(name, conditions));
  }

  remove(name: TriggerName): TriggerOutcome {
    this.writes.assertKept();
    const change = this.triggers.remove(name);
    if (change.kind === 'changed') this.drop(change.trigger.key);
    return outcomeOf(change, this.triggers);
  }

  /**
   * Takes over a change that `store` makes, within the transaction that makes it; nothing if `store`
   * returns that nothing changed. The change takes effect as one that was asked for here.
   */
  adopt(key: number, store: () => boolean): void {
    this.change(() => {
      const trigger = store() ? this.triggers.ofKey(key) : null;
      return trigger === null ? { kind: 'unknown' } : { kind: 'changed', trigger };
    });
    if (this.triggers.ofKey(key) === null) this.drop(key);
  }

  page({ accountId, limit, offset }: TriggerPageQuery): TriggerPage {
    return {
      triggers: this.triggers.list(accountId, limit, offset),
      total: this.triggers.countOf(accountId),
    };
  }

  /** Trigger events of an account after a number. */
  events(query: TriggerEventsQuery): TriggerEvents {
    return this.firings.events(query);
  }

  /**
   * Fires triggers that became true in slots that were not evaluated before the restart. Slots
   * after the stored one are folded again; firings published for them remain unconfirmed until
   * then.
   */
  private restore(): void {
    const { engine } = this.state;
    const slot = engine.lastSlot ?? -1;
    this.writes.begin(slot);
    const truths: Fired[] = [];
    const triggers = new Map<number, StoredTrigger>();
    for (const trigger of this.triggers.all()) {
      triggers.set(trigger.key, trigger);
      const fired = this.watched.put(trigger);
      if (fired !== null) truths.push(fired);
    }
    const events = this.together(() => {
      const known = this.triggers.truths.backTo(slot);
      const start = { known, triggerOf: (key: number) => triggers.get(key) ?? null };
      this.adoptBefore(start);
      const { standing, unconfirmed, lost, covered } = sortStartingFirings(
        this.standing((key) => !this.book.isWaiting(key)),
        {
          ...start,
          slot,
          isTrue: (key) => this.book.isTrue(key),
          changedSlot: ({ target }) => slotOf(engine, target),
        },
      );
      for (const firing of standing) this.open.add(firing);
      for (const firing of unconfirmed) this.open.markUnconfirmed(firing);
      // Whether a crossing among other conditions was in those slots is not known.
      const unseen = truths.filter(
        ({ trigger: { key, conditions } }) =>
          known.get(key)?.isTrue === false && !covered.has(key) && !areMixed(conditions),
      );
      this.recall(known, slot);
      return this.writes.write(
        unseen.map((fired) => this.toPresentDraft(fired)),
        lost,
      );
    });
    this.writes.publishStored(events);
  }

  /** Triggers that cannot be evaluated yet keep the state that they had before the restart. */
  private adoptBefore(before: Before): void {
    const firings = [...this.standing((key) => this.book.isWaiting(key))];
    const truths = truthsBefore(firings, before);
    for (const key of this.book.keys()) {
      if (this.book.isWaiting(key)) this.book.adopt(key, truths.has(key));
    }
    for (const firing of firings) if (firing.slot > this.state.finalSlot) this.open.add(firing);
  }

  private *standing(isAsked: (key: number) => boolean): Iterable<OpenFiring> {
    for (const firing of this.firings.standing()) if (isAsked(firing.triggerKey)) yield firing;
  }

  /** Reconciles the stored truths at a slot with the current ones. */
  private recall(known: ReadonlyMap<number, KnownTruth>, slot: number): void {
    const { truths } = this.triggers;
    const turns: TriggerTurn[] = [];
    for (const key of this.book.keys()) {
      const isTrue = this.book.isTrue(key);
      const last = known.get(key);
      if (last === undefined) truths.begin(key, isTrue);
      else if (last.isTrue !== isTrue) turns.push({ key, slot, isTrue });
      this.journal.begin(key, isTrue);
    }
    truths.keep(turns, slot);
  }

  /** Stores a trigger and its immediate firing in one transaction. */
  private change(write: () => TriggerChange): TriggerOutcome {
    this.writes.assertKept();
    let key: number | null = null;
    try {
      const { change, events } = this.together(() => {
        const made = write();
        if (made.kind !== 'changed') return { change: made, events: [] };
        key = made.trigger.key;
        const fired = this.watched.put(made.trigger);
        const isDue = fired !== null && !areOfCrossing(made.trigger.conditions);
        const drafts = isDue ? [this.toPresentDraft(fired)] : [];
        const events = this.writes.write(drafts, []);
        this.triggers.truths.begin(key, fired !== null);
        return { change: made, events };
      });
      if (change.kind === 'changed') {
        const { key: changed } = change.trigger;
        this.journal.begin(changed, this.book.isTrue(changed));
        this.judged.wasSet(changed);
        this.writes.publishStored(events);
      }
      return outcomeOf(change, this.triggers);
    } catch (error) {
      if (key !== null) this.watchAsStored(key);
      throw error;
    }
  }

  /** Restores the stored trigger after a change could not be written. */
  private watchAsStored(key: number): void {
    const stored = this.triggers.ofKey(key);
    if (stored === null) this.watched.remove(key);
    else this.watched.put(stored);
    if (this.book.isWaiting(key)) this.book.adopt(key, this.journal.valueOf(key) ?? false);
  }

  private drop(key: number): void {
    this.watched.remove(key);
    this.journal.forget(key);
  }

  /** Draft with the slot that last changed the target. */
  private toPresentDraft(fired: Fired): FiringDraft {
    return toDraft(fired, slotOf(this.state.engine, fired.trigger.target));
  }
}
