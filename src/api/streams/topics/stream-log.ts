import { SlidingList } from '../../../lib/sliding-list.ts';
import { isSoon } from '../../../model/shared-numbers.ts';
import {
  identityOf,
  type SlotContext,
  type SlotFrame,
  type SlotItem,
  type StreamTopic,
  type Subject,
  subjectsOf,
} from '../../../model/slot-frame.ts';
import type { Slot } from '../../../model/units.ts';
import type { StreamGap } from '../../stream-source.ts';

/** An item and its slot. A message that takes an item back shares the data of the item. */
export interface ItemData {
  readonly item: SlotItem;
  readonly context: SlotContext;
  /** The JSON text of the item once it was needed. */
  json: string | null;
}

/** One message of the stream, for every subscription that it belongs to. */
export interface LogEntry {
  readonly seq: number;
  readonly data: ItemData;
  readonly subjects: readonly Subject[];
  /** A fork has taken the item back. */
  readonly isUndo: boolean;
  /** The encoded message after the id of the subscription, once it was needed. */
  encoded: Uint8Array | null;
}

export interface StreamLogOptions {
  /** Time for which entries are retained. */
  readonly keptMs: number;
  /** Approximate bytes of the retained entries. */
  readonly weightMax: number;
  readonly nowMs: () => number;
  /** Whether numbers are those of all replicas: frames bring them, and `reach` says where they are. */
  readonly isShared?: boolean;
  /** Whether entries of a subject may be requested later. */
  readonly isKept: (subject: Subject) => boolean;
}

/** Sequence numbers reserved per millisecond of process time. */
const NUMBERS_PER_MS = 1_000;
const ENTRY_BYTES = 1_024;
/** Approximate bytes of an item where they are far more than `ENTRY_BYTES`. */
const ITEM_BYTES: Partial<Record<StreamTopic, number>> = {
  wallet: 16_384,
  findings: 16_384,
  rule_hits: 4_096,
  token: 4_096,
  new_tokens: 4_096,
};

interface Retained {
  readonly entry: LogEntry;
  readonly atMs: number;
  readonly weight: number;
}

/**
 * The newest messages of all topics under one sequence, also by subject. Numbers start from the time
 * and therefore increase across restarts: a client that resumes after a restart sees a gap. Those of
 * several replicas are equal: a client that resumes at another one sees none.
 */
export class StreamLog {
  private readonly options: StreamLogOptions;
  private readonly retained = new SlidingList<Retained>();
  private readonly bySubject = new Map<Subject, SlidingList<LogEntry>>();
  private weight = 0;
  private last: number;
  /** Entries after this position are retained. */
  private lostUpTo: number;

  constructor(options: StreamLogOptions) {
    this.options = options;
    this.last = options.isShared === true ? 0 : options.nowMs() * NUMBERS_PER_MS;
    this.lostUpTo = this.last;
  }

  /** Number of the newest entry. */
  get newest(): number {
    return this.last;
  }

  /** Number of retained entries. */
  get size(): number {
    return this.retained.size;
  }

  /** Adds the items of a frame and returns their entries, in order. */
  add({ items, isUndone, seqs, ...context }: SlotFrame): readonly LogEntry[] {
    const sent = isUndone ? this.dataOfSlot(context.slot) : null;
    // What was applied last is taken back first.
    const ordered = isUndone ? [...items].reverse() : items;
    const entries = ordered.map((item, index) => {
      const data = sent?.get(identityOf(item)) ?? { item, context, json: null };
      const seq = Math.max(this.last + 1, seqs?.[index] ?? 0);
      return this.append(seq, data, subjectsOf(item), isUndone);
    });
    this.dropOld();
    return entries;
  }

  /** No entry up to this number follows. */
  reach(seq: number): void {
    if (seq <= this.last) return;
    // Nobody could have wanted what was before the first.
    if (this.last === 0) this.lostUpTo = seq;
    this.last = seq;
  }

  /** Records that entries were missed, and returns their numbers. */
  skip(): StreamGap {
    const from = ++this.last;
    this.retained.clear();
    this.bySubject.clear();
    this.weight = 0;
    this.lostUpTo = from;
    return { from, to: from };
  }

  /**
   * The oldest retained entries of subjects after a position, at most `limit`, and the numbers
   * after the position that are not available.
   */
  after(
    subjects: readonly Subject[],
    position: number,
    limit: number,
  ): { readonly gap: StreamGap | null; readonly entries: readonly LogEntry[] } {
    if (position > this.last && !(this.options.isShared === true && isSoon(position, this.last))) {
      // Position of another service, or of a clock that was ahead.
      return { gap: { from: this.last + 1, to: position }, entries: [] };
    }
    const gap = position < this.lostUpTo ? { from: position + 1, to: this.lostUpTo } : null;
    const entries = subjects.flatMap((subject) => this.entriesAfter(subject, position, limit));
    if (subjects.length > 1) entries.sort((one, other) => one.seq - other.seq);
    return { gap, entries: entries.slice(0, limit) };
  }

  /** No subscription will request entries of this subject. */
  forget(subject: Subject): void {
    this.bySubject.delete(subject);
  }

  private entriesAfter(subject: Subject, position: number, limit: number): LogEntry[] {
    const list = this.bySubject.get(subject);
    const entries: LogEntry[] = [];
    if (list === undefined) return entries;
    for (let at = firstAfter(list, position); entries.length < limit; at++) {
      const entry = list.at(at);
      if (entry === undefined) break;
      entries.push(entry);
    }
    return entries;
  }

  private append(
    seq: number,
    data: ItemData,
    subjects: readonly Subject[],
    isUndo: boolean,
  ): LogEntry {
    this.last = seq;
    const entry: LogEntry = { seq, data, subjects, isUndo, encoded: null };
    const weight = ITEM_BYTES[data.item.topic] ?? ENTRY_BYTES;
    this.retained.push({ entry, atMs: this.options.nowMs(), weight });
    this.weight += weight;
    for (const subject of subjects) {
      if (this.options.isKept(subject)) this.listOf(subject).push(entry);
    }
    return entry;
  }

  private listOf(subject: Subject): SlidingList<LogEntry> {
    const known = this.bySubject.get(subject);
    if (known !== undefined) return known;
    const list = new SlidingList<LogEntry>();
    this.bySubject.set(subject, list);
    return list;
  }

  /** What was sent for the newest block of a slot, by identity. */
  private dataOfSlot(slot: Slot): ReadonlyMap<string, ItemData> {
    const found = new Map<string, ItemData>();
    for (let at = this.retained.size - 1; at >= 0; at--) {
      const entry = this.retained.at(at)?.entry;
      // Trigger events are numbered when they are stored, and are not taken back.
      if (entry === undefined || entry.data.item.topic === 'triggers') continue;
      const { context, item } = entry.data;
      if (context.slot === slot && !entry.isUndo) found.set(identityOf(item), entry.data);
      else if (context.slot === slot || (context.slot < slot && !entry.isUndo)) break;
    }
    return found;
  }

  private dropOld(): void {
    const { keptMs, weightMax, nowMs } = this.options;
    const oldestMs = nowMs() - keptMs;
    for (;;) {
      const oldest = this.retained.at(0);
      if (oldest === undefined || (this.weight <= weightMax && oldest.atMs >= oldestMs)) return;
      this.retained.shift();
      this.weight -= oldest.weight;
      this.lostUpTo = oldest.entry.seq;
      for (const subject of oldest.entry.subjects) this.dropFrom(subject, oldest.entry);
    }
  }

  private dropFrom(subject: Subject, entry: LogEntry): void {
    const list = this.bySubject.get(subject);
    if (list?.at(0) !== entry) return;
    list.shift();
    if (list.size === 0) this.bySubject.delete(subject);
  }
}

/** Index of the first entry after a position, by halving. */
function firstAfter(list: SlidingList<LogEntry>, position: number): number {
  let from = 0;
  let to = list.size;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((list.at(middle)?.seq ?? 0) <= position) from = middle + 1;
    else to = middle;
  }
  return from;
}
