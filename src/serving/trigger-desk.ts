import { type OpenFiring, OpenFirings } from '../alerts/triggers/open-firings.ts';
import { sortStartingFirings } from '../alerts/triggers/starting-firings.ts';
import { type Fired, TriggerBook } from '../alerts/triggers/trigger-book.ts';
import { TurnJournal } from '../alerts/triggers/turn-journal.ts';
import type { FoldListener } from '../ingestion/fold-listener.ts';
import { DeferredWrites } from '../lib/deferred-writes.ts';
import type { PoolRecord, SlotChanges } from '../model/derived.ts';
import { StoreError } from '../model/errors.ts';
import type {
  Condition,
  StoredTrigger,
  TriggerEvent,
  TriggerEvents,
  TriggerEventsQuery,
  TriggerName,
  TriggerOutcome,
  TriggerPage,
  TriggerPageQuery,
  TriggerRequest,
} from '../model/trigger.ts';
import type { KnownTruth, TriggerTurn } from '../model/trigger-turn.ts';
import type { Address, Slot } from '../model/units.ts';
import type { FiringDraft, FiringLog } from '../store/control/firings.ts';
import type { StoredTriggers, TriggerChange } from '../store/control/triggers.ts';
import type { Store } from '../store/store.ts';

/** Where triggers and firings are kept. */
export type TriggerStore = Pick<Store, 'triggers' | 'firings' | 'together'> & {
  /** Takes what is told further, in the transaction that keeps it. */
  readonly forward?: (events: readonly TriggerEvent[]) => void;
};

/** The state that triggers are judged by. */
export interface JudgedState {
  readonly engine: {
    readonly lastSlot: Slot | null;
    pool(pool: Address): PoolRecord | null;
  };
  /** Up to here nothing is taken back. */
  readonly finalSlot: number;
}

/**
 * Judges triggers after each slot, on the thread that folds: a firing is written before anybody is
 * told of it. What is added, changed or removed is so from the next slot on, and what is true
 * already fires with the change that made it so.
 */
export class TriggerDesk implements FoldListener {
  private readonly state: JudgedState;
  private readonly triggers: StoredTriggers;
  private readonly firings: FiringLog;
  private readonly together: Store['together'];
  private readonly forward: (events: readonly TriggerEvent[]) => void;
  private readonly tell: (events: readonly TriggerEvent[]) => void;
  private readonly book = new TriggerBook();
  private readonly open = new OpenFirings();
  private readonly journal = new TurnJournal();
  /** What the fold made true or untrue. */
  private readonly writes = new DeferredWrites();
  /** Up to here slots are stored for sure. */
  private storedTo = -1;
  /** Up to here they are, or are being stored. */
  private storingTo = -1;
  readonly counts = { fired: 0, retracted: 0 };

  constructor(
    state: JudgedState,
    { triggers, firings, together, forward = () => undefined }: TriggerStore,
    tell: (events: readonly TriggerEvent[]) => void,
  ) {
    this.state = state;
    this.triggers = triggers;
    this.firings = firings;
    this.together = together;
    this.forward = forward;
    this.tell = tell;
    this.restore();
  }

  /** Active triggers. */
  get size(): number {
    return this.book.size;
  }

  onApplied({ slot, pools }: Pick<SlotChanges, 'slot' | 'pools'>): void {
    const rises = this.book.changed(pools, ({ key }, isTrue) =>
      this.journal.note(key, slot, isTrue),
    );
    const fired = rises.filter((one) => !this.open.confirm(one, slot));
    const lost = this.open.takeLost(slot);
    this.record(
      fired.map((one) => toDraft(one, slot)),
      lost,
    );
    if (this.open.size > 0) this.open.finalise(this.state.finalSlot);
  }

  onReverted({ slot, pools }: Pick<SlotChanges, 'slot' | 'pools'>): void {
    const { engine } = this.state;
    const backTo = engine.lastSlot ?? -1;
    const keys = this.journal.takeBack(slot);
    const watched = pools.filter(({ pool }) => this.book.watches(pool));
    this.book.wentBack(
      watched.map(({ pool }) => [pool, engine.pool(pool)]),
      ({ key }, isTrue) => this.journal.note(key, backTo, isTrue),
    );
    for (const key of keys) this.journal.note(key, backTo, this.book.isTrue(key));
    this.open.wentBack(slot, (...which) => this.book.isTrue(...which));
  }

  /** Of another fold of the same slots: what it makes true is told, what it unmakes was. */
  onReplaced(): void {
    const records: PoolRecord[] = [];
    const unseen: [Address, null][] = [];
    for (const address of this.book.pools()) {
      const record = this.state.engine.pool(address);
      if (record === null) unseen.push([address, null]);
      else records.push(record);
    }
    const slots = new Map(records.map(({ pool, slot }) => [pool, slot]));
    const turns: TriggerTurn[] = [];
    const onTurn = ({ key, pool }: StoredTrigger, isTrue: boolean) => {
      turns.push({ key, slot: slots.get(pool) ?? -1, isTrue });
    };
    this.book.wentBack(unseen, onTurn);
    const { lastSlot } = this.state.engine;
    const drafts = this.book
      .changed(records, onTurn)
      .map((fired) => toDraft(fired, slots.get(fired.figures.pool) ?? lastSlot));
    this.turnedAnew(turns, drafts);
  }

  /** What turned with slots that stay is kept before they are stored. */
  onBeforeWrite(): void {
    const { finalSlot } = this.state;
    this.storedTo = this.storingTo;
    this.storingTo = finalSlot;
    this.writes.add(() => {
      const due = this.journal.due(finalSlot);
      if (due.length === 0) return;
      this.together(() => this.triggers.truths.keep(due, this.storedTo));
      this.journal.settle(finalSlot);
    });
  }

  settle(): void {
    this.writes.settle();
  }

  onStep(): void {
    // What a step says of slots, and not of pools, makes no trigger true.
  }

  add(request: TriggerRequest): TriggerOutcome {
    return this.change(() => this.triggers.add(request));
  }

  update(name: TriggerName, conditions: readonly Condition[]): TriggerOutcome {
    return this.change(() => this.triggers.update(name, conditions));
  }

  remove(name: TriggerName): TriggerOutcome {
    this.assertKept();
    const change = this.triggers.remove(name);
    if (change.kind === 'changed') {
      this.book.remove(change.trigger.key);
      this.journal.forget(change.trigger.key);
    }
    return this.outcomeOf(change);
  }

  page({ accountId, limit, offset }: TriggerPageQuery): TriggerPage {
    return {
      triggers: this.triggers.list(accountId, limit, offset),
      total: this.triggers.countOf(accountId),
    };
  }

  /** What an account was told after a number. */
  events(query: TriggerEventsQuery): TriggerEvents {
    return this.firings.events(query);
  }

  /**
   * What became true by slots that nobody judged fires now. The tail is folded again after a start:
   * what was told of it is in doubt until then.
   */
  private restore(): void {
    const { engine } = this.state;
    const slot = engine.lastSlot ?? -1;
    this.storedTo = slot;
    this.storingTo = slot;
    const truths: Fired[] = [];
    const triggers = new Map<number, StoredTrigger>();
    for (const trigger of this.triggers.all()) {
      triggers.set(trigger.key, trigger);
      const fired = this.book.put(trigger, engine.pool(trigger.pool));
      if (fired !== null) truths.push(fired);
    }
    const events = this.together(() => {
      const known = this.triggers.truths.backTo(slot);
      const { standing, doubted, lost, told } = sortStartingFirings(this.firings.standing(), {
        ...{ slot, known },
        triggerOf: (key) => triggers.get(key) ?? null,
        isTrue: (key) => this.book.isTrue(key),
        poolSlot: ({ pool }) => engine.pool(pool)?.slot ?? null,
      });
      for (const firing of standing) this.open.add(firing);
      for (const firing of doubted) this.open.doubt(firing);
      const unseen = truths.filter(
        ({ trigger: { key } }) => known.get(key)?.isTrue === false && !told.has(key),
      );
      this.recall(known, slot);
      return this.write(
        unseen.map((fired) => this.toPresentDraft(fired)),
        lost,
      );
    });
    this.told(events);
  }

  /** What was known of triggers at a slot is from here on what is true there. */
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

  /**
   * Another fold says so. What slots that stay say by it is kept as it is now; of others it may be
   * taken back.
   */
  private turnedAnew(turns: readonly TriggerTurn[], drafts: readonly FiringDraft[]): void {
    if (turns.length === 0) return;
    const { finalSlot, engine } = this.state;
    const stay = turns.filter(({ slot }) => slot <= finalSlot);
    for (const turn of turns) if (turn.slot > finalSlot) this.journal.replace(turn);
    const untilNow = Math.min(finalSlot, engine.lastSlot ?? -1);
    this.writes.add(() => {
      const events = this.together(() => {
        const written = this.write(drafts, []);
        for (const { key, isTrue } of stay) {
          // Firings from before it was not true tell of nothing that comes later.
          if (isTrue) this.triggers.truths.begin(key, true);
          else this.triggers.truths.begin(key, false, untilNow);
        }
        return written;
      });
      for (const { key, isTrue } of stay) this.journal.begin(key, isTrue);
      this.told(events);
    });
  }

  /** A trigger and what it fires at once are kept together or not at all. */
  private change(write: () => TriggerChange): TriggerOutcome {
    this.assertKept();
    let key: number | null = null;
    try {
      const { change, events } = this.together(() => {
        const made = write();
        if (made.kind !== 'changed') return { change: made, events: [] };
        key = made.trigger.key;
        const fired = this.book.put(made.trigger, this.state.engine.pool(made.trigger.pool));
        const drafts = fired === null ? [] : [this.toPresentDraft(fired)];
        const events = this.write(drafts, []);
        this.triggers.truths.begin(key, fired !== null);
        return { change: made, events };
      });
      if (change.kind === 'changed') {
        const { key: changed } = change.trigger;
        this.journal.begin(changed, this.book.isTrue(changed));
        this.told(events);
      }
      return this.outcomeOf(change);
    } catch (error) {
      if (key !== null) this.watchAsStored(key);
      throw error;
    }
  }

  /** What fired before a change has its number before what fires with it. */
  private assertKept(): void {
    if (!this.writes.isWaiting) return;
    throw new StoreError('What triggers fired before cannot be written yet.', {
      isTransient: true,
    });
  }

  /** After a change that could not be kept. */
  private watchAsStored(key: number): void {
    const stored = this.triggers.ofKey(key);
    if (stored === null) this.book.remove(key);
    else this.book.put(stored, this.state.engine.pool(stored.pool));
  }

  private record(drafts: readonly FiringDraft[], lost: readonly OpenFiring[]): void {
    if (drafts.length === 0 && lost.length === 0) return;
    this.writes.add(() => this.told(this.together(() => this.write(drafts, lost))));
  }

  private write(drafts: readonly FiringDraft[], lost: readonly OpenFiring[]): TriggerEvent[] {
    const retractions = lost.length === 0 ? [] : this.firings.retract(lost);
    const firings = drafts.length === 0 ? [] : this.firings.add(drafts);
    const events: TriggerEvent[] = [
      ...retractions.map((retraction) => ({ kind: 'retracted', retraction }) as const),
      ...firings.map((firing) => ({ kind: 'fired', firing }) as const),
    ];
    this.forward(events);
    this.triggers.truths.keep(this.journal.due(this.state.finalSlot), this.storedTo);
    return events;
  }

  /** Of what was written, and is kept by now. */
  private told(events: readonly TriggerEvent[]): void {
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

  /** Of the slot that made its pool what it is. */
  private toPresentDraft(fired: Fired): FiringDraft {
    return toDraft(fired, this.state.engine.pool(fired.trigger.pool)?.slot ?? null);
  }

  private outcomeOf(change: TriggerChange): TriggerOutcome {
    if ('trigger' in change) return { kind: 'done', trigger: change.trigger };
    if (change.kind !== 'full') return { kind: change.kind };
    return { kind: 'full', triggersMax: this.triggers.limits.triggersMax };
  }
}

function toDraft({ trigger, figures }: Fired, slot: Slot | null): FiringDraft {
  return { ...nameOf(trigger), slot: slot ?? (0 as Slot), figures };
}

function nameOf({ accountId, triggerId, key, revision }: StoredTrigger) {
  return { accountId, triggerId, triggerKey: key, revision };
}
