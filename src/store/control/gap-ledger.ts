import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { firstGapFrom, type SlotGap, type SlotMark } from '../../model/slot-range.ts';
import type { Slot } from '../../model/units.ts';
import { addToSum, takeFromSum } from './additive-sum.ts';
import { ControlSums } from './control-sums.ts';
import { joinMarks, type SlotRange, toGap, withMark } from './slot-ranges.ts';

interface RangeRow {
  readonly from_slot: number;
  readonly to_slot: number;
  readonly state: SlotRange['state'];
  readonly reason: string | null;
  readonly since_ms: number | null;
  readonly tries: number;
  readonly after_ms: number | null;
  readonly before_ms: number | null;
}

/** How many slots are in each state. */
export interface SlotCounts {
  readonly held: number;
  readonly skipped: number;
  readonly missing: number;
}

/**
 * The state of every slot between the first and the last known one, stored as ranges in SQL. The
 * gaps among them, which answers are checked against, are also kept in memory.
 */
export class GapLedger {
  private readonly touching: StatementSync;
  private readonly remove: StatementSync;
  private readonly add: StatementSync;
  private readonly database: DatabaseSync;
  private readonly sums: ControlSums;
  private open: SlotGap[] = [];
  private totals = { held: 0, skipped: 0, missing: 0 };

  constructor(database: DatabaseSync) {
    this.database = database;
    this.sums = new ControlSums(database);
    // Ranges are disjoint, so only the last range that begins before `from` can overlap.
    this.touching = database.prepare(
      'SELECT * FROM slot_ranges WHERE from_slot <= :to AND from_slot >= coalesce(' +
        '(SELECT max(from_slot) FROM slot_ranges WHERE from_slot <= :from), 0) ' +
        'ORDER BY from_slot',
    );
    this.remove = database.prepare('DELETE FROM slot_ranges WHERE from_slot = ?');
    this.add = database.prepare('INSERT INTO slot_ranges VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.reload();
  }

  /** The gaps, ascending and disjoint. */
  get gaps(): readonly SlotGap[] {
    return this.open;
  }

  get counts(): SlotCounts {
    return this.totals;
  }

  /** True before the first mark. */
  get isEmpty(): boolean {
    const { held, skipped, missing } = this.totals;
    return held + skipped + missing === 0;
  }

  /** The ranges that overlap `from` to `to`, ascending. */
  ranges(from: Slot, to: Slot): SlotRange[] {
    const rows = this.touching.all({ from, to }) as unknown as RangeRow[];
    return rows.map(toRange).filter((range) => range.to >= from);
  }

  /**
   * Marks slots in the order given, inside the caller's transaction. A caller that does not commit
   * must call `reload`.
   */
  mark(marks: readonly SlotMark[]): void {
    if (marks.length === 0) return;
    let sum = this.sums.read('ledger') ?? this.sumOfRanges();
    for (const mark of joinMarks(marks)) {
      const { before, after } = this.markOne(mark);
      for (const range of before) sum = takeFromSum(sum, textOf(range));
      for (const range of after) sum = addToSum(sum, textOf(range));
    }
    this.sums.write('ledger', sum);
  }

  /** All ranges, ascending. */
  *all(): Iterable<SlotRange> {
    const rows = this.database.prepare('SELECT * FROM slot_ranges ORDER BY from_slot').iterate();
    for (const row of rows) yield toRange(row as unknown as RangeRow);
  }

  /** Whether the ranges match their sum. True when an earlier version wrote them, without a sum. */
  get isIntact(): boolean {
    const sum = this.sums.read('ledger');
    return sum === null || sum === this.sumOfRanges();
  }

  /** Removes all ranges, inside the caller's transaction, when they cannot be trusted. */
  clear(): void {
    this.database.exec('DELETE FROM slot_ranges');
    this.sums.write('ledger', 0);
    this.reload();
  }

  /** Reads gaps and counts from SQL, which discards marks that were not committed. */
  reload(): void {
    const gaps = this.database
      .prepare("SELECT * FROM slot_ranges WHERE state = 'missing' ORDER BY from_slot")
      .all() as unknown as RangeRow[];
    this.open = gaps.map((row) => toGap(toRange(row)));
    const sums = this.database
      .prepare(
        'SELECT state, sum(to_slot - from_slot + 1) AS slots FROM slot_ranges GROUP BY state',
      )
      .all() as unknown as { readonly state: SlotRange['state']; readonly slots: number }[];
    this.totals = { held: 0, skipped: 0, missing: 0 };
    for (const { state, slots } of sums) this.totals[state] = slots;
  }

  private sumOfRanges(): number {
    let sum = 0;
    for (const range of this.all()) sum = addToSum(sum, textOf(range));
    return sum;
  }

  private markOne(mark: SlotMark): {
    readonly before: readonly SlotRange[];
    readonly after: readonly SlotRange[];
  } {
    // Includes the neighbours, so that equal adjacent ranges are joined.
    const from = Math.max(mark.from - 1, 0) as Slot;
    const to = (mark.to + 1) as Slot;
    const before = this.ranges(from, to);
    const after = withMark(before, mark);
    for (const range of before) this.remove.run(range.from);
    for (const range of after) this.insert(range);
    this.count(before, -1);
    this.count(after, 1);
    this.replaceGaps(before, after);
    return { before, after };
  }

  private insert({ from, to, state, ...range }: SlotRange): void {
    const { reason, sinceMs, tries, afterMs, beforeMs } = range;
    this.add.run(from, to, state, reason, sinceMs, tries, afterMs, beforeMs);
  }

  private count(ranges: readonly SlotRange[], sign: 1 | -1): void {
    for (const { state, from, to } of ranges) this.totals[state] += sign * (to - from + 1);
  }

  private replaceGaps(before: readonly SlotRange[], after: readonly SlotRange[]): void {
    const old = before.filter(isMissing);
    const now = after.filter(isMissing);
    if (old.length === 0 && now.length === 0) return;
    const first = Math.min(...[...old, ...now].map(({ from }) => from));
    this.open.splice(firstGapFrom(this.open, first), old.length, ...now.map(toGap));
  }
}

function isMissing({ state }: SlotRange): boolean {
  return state === 'missing';
}

function textOf({ from, to, state, reason, sinceMs, tries, afterMs, beforeMs }: SlotRange): string {
  return JSON.stringify([from, to, state, reason, sinceMs, tries, afterMs, beforeMs]);
}

function toRange(row: RangeRow): SlotRange {
  return {
    from: row.from_slot as Slot,
    to: row.to_slot as Slot,
    state: row.state,
    reason: row.reason,
    sinceMs: row.since_ms,
    tries: row.tries,
    afterMs: row.after_ms,
    beforeMs: row.before_ms,
  };
}
