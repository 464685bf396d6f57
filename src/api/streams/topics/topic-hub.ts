import { ApiError } from '../../../model/errors.ts';
import type { SlotContext, SlotFrame, SlotItem, Subject } from '../../../model/slot-frame.ts';
import { subjectOf } from '../../../model/slot-frame.ts';
import type { TriggerEvent } from '../../../model/trigger.ts';
import type { Slot } from '../../../model/units.ts';
import type { StreamGap } from '../../stream-source.ts';
import { Interests, type OnConfirmed } from './interests.ts';
import { type LogEntry, StreamLog } from './stream-log.ts';

/** Time for which messages are retained, and for which an ended subscription can be resumed. */
export const RETAINED_MS = 3_600_000;
const WEIGHT_MAX = 64 * 1_048_576;
/** Subjects that may be wanted at a time, including those of ended subscriptions. */
const SUBJECTS_MAX = 200_000;
/** Open subscriptions of all clients. */
const SUBSCRIPTIONS_MAX = 400_000;
/** Entries of one step of a replay. */
const REPLAY_STEP = 64;

const TOO_MANY = 'Too many subscriptions are open: try again later.';
const REBUILDING = 'The current state is being computed again: try again.';

/** Selects among the items of a subject. */
export type ItemFilter = (item: SlotItem) => boolean;

export interface TopicRequest {
  /** At least one; no item belongs to two of them. */
  readonly subjects: readonly [Subject, ...Subject[]];
  /** Null for all items of the subjects. */
  readonly filter: ItemFilter | null;
  /** Position to resume from; null for changes from now on. */
  readonly since: number | null;
}

/** The client of a subscription. */
export interface Subscriber {
  /**
   * The subscription is complete after `seq`, except for gaps that are reported. Reads after this
   * are as of `slot` or a later one; null before the first slot.
   */
  onReady(seq: number, slot: Slot | null): void;
  /** Nothing follows. */
  onRefused(error: ApiError): void;
  onEntry(entry: LogEntry): void;
  /** Messages of all subscriptions were missed. */
  onLost(gap: StreamGap): void;
}

export interface TopicHubOptions {
  readonly nowMs: () => number;
  /** Whether numbers of messages are those of all replicas. */
  readonly isShared?: boolean;
  /** The slot that reads are as of. */
  readonly currentSlot: () => Slot | null;
  /** Sends changes of the wanted subjects, answered by `confirm` with the same number. */
  readonly onWanted: (id: number, added: readonly Subject[], removed: readonly Subject[]) => void;
}

/** A subscription, as its client controls it. */
export interface Subscription {
  /**
   * Returns the next retained messages of a subscription that resumes, oldest first. Null once it
   * has reached the newest; from then on `onEntry` is called.
   */
  replay(): { readonly gap: StreamGap | null; readonly entries: readonly LogEntry[] } | null;
  end(): void;
}

interface Open {
  readonly subjects: TopicRequest['subjects'];
  readonly filter: ItemFilter | null;
  readonly subscriber: Subscriber;
  /** Messages up to this one are not sent: the client has them, from another replica. */
  readonly after: number;
  /** Null once it has reached the newest message. */
  position: number | null;
  state: 'waiting' | 'open' | 'ended';
}

/**
 * Distributes the messages of all topics to the subscriptions of all clients. A message costs as
 * much as it has subscriptions, and is encoded once.
 */
export class TopicHub {
  private readonly options: TopicHubOptions;
  private readonly interests: Interests;
  private readonly log: StreamLog;
  private readonly bySubject = new Map<Subject, Set<Open>>();
  private count = 0;
  /** Reads are as of the slot of this position or a later one. */
  private publishedSeq: number;

  constructor(options: TopicHubOptions) {
    this.options = options;
    const { nowMs, isShared = false } = options;
    this.log = new StreamLog({
      isShared,
      keptMs: RETAINED_MS,
      weightMax: WEIGHT_MAX,
      nowMs,
      isKept: (subject) => this.interests.has(subject),
    });
    this.interests = new Interests({
      keptMs: RETAINED_MS,
      subjectsMax: SUBJECTS_MAX,
      nowMs,
      onChanged: options.onWanted,
      onForgotten: (subject) => this.log.forget(subject),
    });
    this.publishedSeq = this.log.newest;
  }

  /** Number of open subscriptions. */
  get subscriptions(): number {
    return this.count;
  }

  /** Number of subjects wanted from the other thread. */
  get subjects(): number {
    return this.interests.size;
  }

  /** Number of the newest message. */
  get newest(): number {
    return this.log.newest;
  }

  subscribe({ subjects, filter, since }: TopicRequest, subscriber: Subscriber): Subscription {
    const open: Open = {
      ...{ subjects, filter, subscriber, position: since, state: 'waiting' },
      after: this.options.isShared === true ? (since ?? -1) : -1,
    };
    if (this.count >= SUBSCRIPTIONS_MAX || !this.enter(open, since)) {
      open.state = 'ended';
      subscriber.onRefused(new ApiError(503, TOO_MANY));
    }
    return { replay: () => this.replay(open), end: () => this.end(open) };
  }

  /**
   * The other thread has taken request `id`: frames that follow contain the wanted subjects. All
   * messages up to `position` were sent, if it is known.
   */
  confirm(id: number, isReady: boolean, position: number | null = null): void {
    if (position !== null) this.log.reach(position);
    this.interests.confirm(id, isReady, this.log.newest);
  }

  /** The state that reads return now includes all frames taken so far. */
  published(position: number | null = null): void {
    if (position !== null) this.log.reach(position);
    this.publishedSeq = this.log.newest;
  }

  /** Takes what a slot changed; null after frames were missed. */
  take(frame: SlotFrame | null): void {
    this.interests.dropUnused();
    if (frame === null) this.skip();
    else for (const entry of this.log.add(frame)) this.distribute(entry);
  }

  /** Takes trigger events that are stored, for the subscriptions of their accounts. */
  takeTriggerEvents(events: readonly TriggerEvent[]): void {
    for (const event of events) {
      const { accountId, slot } = event.kind === 'fired' ? event.firing : event.retraction;
      if (!this.interests.has(subjectOf('triggers', 'account', accountId))) continue;
      this.take({ ...NO_CONTEXT, slot, items: [{ topic: 'triggers', accountId, event }] });
    }
  }

  private enter(open: Open, since: number | null): boolean {
    const { subjects } = open;
    this.count++;
    let unconfirmed = subjects.length;
    const onConfirmed = (isConfirmed: boolean) => {
      unconfirmed--;
      if (!isConfirmed || unconfirmed === 0) this.begin(open, since, isConfirmed);
    };
    for (const [at, subject] of subjects.entries()) {
      if (this.enterSubject(subject, onConfirmed)) continue;
      for (const entered of subjects.slice(0, at)) this.interests.leave(entered);
      this.count--;
      return false;
    }
    return true;
  }

  private enterSubject(subject: Subject, onConfirmed: OnConfirmed): boolean {
    if (!subject.startsWith('triggers ')) return this.interests.enter(subject, onConfirmed);
    const isEntered = this.interests.enterOwn(subject, this.log.newest);
    if (isEntered) onConfirmed(true);
    return isEntered;
  }

  private begin(open: Open, since: number | null, isConfirmed: boolean): void {
    if (open.state !== 'waiting') return;
    if (!isConfirmed) {
      this.end(open);
      open.subscriber.onRefused(new ApiError(503, REBUILDING));
      return;
    }
    open.state = 'open';
    // Frames that reads do not include yet are sent, unless the subject was not wanted then.
    const position = since ?? Math.max(this.publishedSeq, this.completeFrom(open));
    open.position = position;
    for (const subject of open.subjects) {
      const subscriptions = this.bySubject.get(subject) ?? new Set();
      this.bySubject.set(subject, subscriptions.add(open));
    }
    open.subscriber.onReady(position, this.options.currentSlot());
  }

  /** Position from which the entries of all subjects are complete. */
  private completeFrom({ subjects }: Open): number {
    const { newest } = this.log;
    return Math.max(...subjects.map((one) => this.interests.completeFrom(one) ?? newest));
  }

  private replay(open: Open): ReturnType<Subscription['replay']> {
    if (open.state !== 'open' || open.position === null) return null;
    const { subjects, filter, position } = open;
    const completeFrom = this.completeFrom(open);
    const isUnknown = position < completeFrom;
    const read = this.log.after(subjects, isUnknown ? completeFrom : position, REPLAY_STEP);
    const gap = isUnknown
      ? { from: position + 1, to: Math.max(completeFrom, read.gap?.to ?? 0) }
      : read.gap;
    const last = read.entries.at(-1);
    if (gap === null && last === undefined) {
      open.position = null;
      return null;
    }
    // A position after the newest message continues with the newest.
    open.position = last?.seq ?? Math.min(gap?.to ?? position, this.log.newest);
    const entries = read.entries.filter(({ data }) => filter === null || filter(data.item));
    return { gap, entries };
  }

  private end(open: Open): void {
    if (open.state === 'ended') return;
    open.state = 'ended';
    this.count--;
    for (const subject of open.subjects) {
      this.interests.leave(subject);
      const subscriptions = this.bySubject.get(subject);
      if (subscriptions?.delete(open) === true && subscriptions.size === 0) {
        this.bySubject.delete(subject);
      }
    }
  }

  private distribute(entry: LogEntry): void {
    for (const subject of entry.subjects) {
      const subscriptions = this.bySubject.get(subject);
      if (subscriptions === undefined) continue;
      for (const { position, filter, subscriber, after } of subscriptions) {
        // A subscription that resumes reads the message from the log.
        if (position !== null || entry.seq <= after) continue;
        if (!(filter?.(entry.data.item) ?? true)) continue;
        subscriber.onEntry(entry);
      }
    }
  }

  private skip(): void {
    const gap = this.log.skip();
    for (const subscriptions of this.bySubject.values()) {
      for (const { position, subscriber } of subscriptions) {
        // A subscription that resumes reads the gap from the log.
        if (position === null) subscriber.onLost(gap);
      }
    }
  }
}

const NO_CONTEXT: Omit<SlotContext, 'slot'> & Pick<SlotFrame, 'isUndone'> = {
  timeMs: null,
  solUsd: null,
  finalSlot: null,
  isUndone: false,
};
