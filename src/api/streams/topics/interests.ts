import type { Subject } from '../../../model/slot-frame.ts';

export interface InterestOptions {
  /** Time for which a subject without subscriptions stays wanted, so that clients can resume. */
  readonly keptMs: number;
  /** Maximum number of wanted subjects. */
  readonly subjectsMax: number;
  readonly nowMs: () => number;
  /** Sends changes of the wanted subjects; `confirm` is called with the same number afterwards. */
  readonly onChanged: (id: number, added: readonly Subject[], removed: readonly Subject[]) => void;
  /** Entries of a subject are no longer needed. */
  readonly onForgotten: (subject: Subject) => void;
}

/** Called once it is known whether changes of the subject arrive. */
export type OnConfirmed = (isConfirmed: boolean) => void;

interface Interest {
  subscriptions: number;
  /** Position from which the entries of the subject are complete; null before the confirmation. */
  completeFrom: number | null;
  /** The request that the confirmation belongs to; null before it was sent. */
  request: number | null;
  waiting: OnConfirmed[];
}

/**
 * The subjects that are wanted from the thread of the engine: those of subscriptions, and for some
 * time those of subscriptions that ended.
 */
export class Interests {
  private readonly options: InterestOptions;
  private readonly interests = new Map<Subject, Interest>();
  /** Subjects without subscriptions, by the time of the last one, the oldest first. */
  private readonly unused = new Map<Subject, number>();
  private readonly requests = new Map<number, readonly Subject[]>();
  private added: Subject[] = [];
  private removed: Subject[] = [];
  private lastId = 0;
  private isScheduled = false;

  constructor(options: InterestOptions) {
    this.options = options;
  }

  /** Number of wanted subjects. */
  get size(): number {
    return this.interests.size;
  }

  has(subject: Subject): boolean {
    return this.interests.has(subject);
  }

  /** Position from which entries of the subject are complete; null while that is not known. */
  completeFrom(subject: Subject): number | null {
    return this.interests.get(subject)?.completeFrom ?? null;
  }

  /**
   * Adds a subscription. `onConfirmed` is called at once for a subject that is confirmed. Returns
   * false, without an effect, when too many subjects are wanted.
   */
  enter(subject: Subject, onConfirmed: OnConfirmed): boolean {
    this.dropUnused();
    const known = this.interests.get(subject);
    if (known !== undefined) {
      known.subscriptions++;
      this.unused.delete(subject);
      if (known.completeFrom === null) known.waiting.push(onConfirmed);
      else onConfirmed(true);
      return true;
    }
    if (!this.hasRoom()) return false;
    const waiting = [onConfirmed];
    this.interests.set(subject, { subscriptions: 1, completeFrom: null, request: null, waiting });
    this.change(this.added, subject);
    return true;
  }

  /** Ends a subscription. */
  leave(subject: Subject): void {
    const known = this.interests.get(subject);
    if (known === undefined || --known.subscriptions > 0) return;
    this.unused.set(subject, this.options.nowMs());
  }

  /** A subject whose entries are made on this thread: confirmed without a request. */
  enterOwn(subject: Subject, position: number): boolean {
    const isKnown = this.interests.has(subject);
    if (!isKnown && !this.hasRoom()) return false;
    const interest = this.interests.get(subject) ?? {
      subscriptions: 0,
      completeFrom: position,
      request: null,
      waiting: [],
    };
    interest.subscriptions++;
    this.unused.delete(subject);
    this.interests.set(subject, interest);
    return true;
  }

  /** The other thread has taken request `id`; false: its state is being computed again. */
  confirm(id: number, isReady: boolean, position: number): void {
    const subjects = this.requests.get(id) ?? [];
    this.requests.delete(id);
    for (const subject of subjects) {
      const interest = this.interests.get(subject);
      // A subject that was given up and wanted again waits for a later request.
      if (interest === undefined || interest.request !== id) continue;
      const { waiting } = interest;
      interest.waiting = [];
      interest.request = null;
      if (isReady) interest.completeFrom = position;
      else this.remove(subject);
      for (const onConfirmed of waiting) onConfirmed(isReady);
    }
  }

  private hasRoom(): boolean {
    if (this.interests.size < this.options.subjectsMax) return true;
    const [oldest] = this.unused.keys();
    if (oldest === undefined) return false;
    this.remove(oldest);
    return true;
  }

  /** Gives up the subjects that had no subscription for `keptMs`. */
  dropUnused(): void {
    const oldestMs = this.options.nowMs() - this.options.keptMs;
    for (const [subject, sinceMs] of this.unused) {
      if (sinceMs >= oldestMs) return;
      this.remove(subject);
    }
  }

  private remove(subject: Subject): void {
    this.interests.delete(subject);
    this.unused.delete(subject);
    this.options.onForgotten(subject);
    this.change(this.removed, subject);
  }

  /** Changes of one turn of the event loop are sent together. */
  private change(changes: Subject[], subject: Subject): void {
    changes.push(subject);
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.send();
    });
  }

  private send(): void {
    // A subject that was removed and added again is wanted.
    const removed = this.removed.filter((subject) => !this.interests.has(subject));
    const added = this.added.filter((subject) => this.interests.has(subject));
    this.added = [];
    this.removed = [];
    if (added.length + removed.length === 0) return;
    const id = ++this.lastId;
    this.requests.set(id, added);
    for (const subject of added) {
      const interest = this.interests.get(subject);
      if (interest !== undefined) interest.request = id;
    }
    this.options.onChanged(id, added, removed);
  }
}
