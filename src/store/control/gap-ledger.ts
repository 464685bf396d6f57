import type { DatabaseSync } from 'node:sqlite';
import { firstGapFrom, type SlotGap, type SlotMark } from '../../model/slot-range.ts';
import { asSlot, SLOT_MAX, type Slot } from '../../model/units.ts';
import { column, integer, nullable, oneOf, orElse, slot, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll, prepareReader } from '../sqlite/prepare-all.ts';
import { rowsOf, tableRow } from '../sqlite/table-row.ts';
import { addToSum, takeFromSum } from './additive-sum.ts';
import { type ControlSums, controlSums } from './control-sums.ts';
import { joinMarks, type SlotRange, toGap, withMark } from './slot-ranges.ts';

// A damaged range is found by the sum of all ranges, and must not end the start before that.
const rangeState = orElse(oneOf<SlotRange['state']>(['held', 'skipped', 'missing']), 'missing');

const rangeEnd = orElse(slot, asSlot(SLOT_MAX));

export const SLOT_RANGES = tableRow('slot_ranges', {
  from: column('from_slot', rangeEnd),
  to: column('to_slot', rangeEnd),
  state: rangeState,
  reason: nullable(text),
  sinceMs: nullable(integer),
  tries: integer,
  afterMs: nullable(integer),
  beforeMs: nullable(integer),
});

const ALL = SLOT_RANGES.select('ORDER BY from_slot');

const STATEMENTS = {
  // Ranges are disjoint, so only the last range that begins before ?1 can overlap.
  touching: SLOT_RANGES.select(
    'WHERE from_slot <= ?2 AND from_slot >= coalesce(' +
      '(SELECT max(from_slot) FROM slot_ranges WHERE from_slot <= ?1), 0) ORDER BY from_slot',
  ),
  missing: SLOT_RANGES.select("WHERE state = 'missing' ORDER BY from_slot"),
  totals: rowsOf(
    { state: rangeState, slots: orElse(integer, 0) },
    'SELECT state, sum(to_slot - from_slot + 1) FROM slot_ranges GROUP BY state',
  ),
  add: SLOT_RANGES.insert(),
  remove: 'DELETE FROM slot_ranges WHERE from_slot = ?',
};

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
  private readonly statements: Prepared<typeof STATEMENTS>;
  private readonly database: DatabaseSync;
  private readonly sums: ControlSums;
  private open: SlotGap[] = [];
  private totals = { held: 0, skipped: 0, missing: 0 };

  constructor(database: DatabaseSync) {
    this.database = database;
    this.sums = controlSums(database);
    this.statements = prepareAll(database, STATEMENTS);
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
    return this.statements.touching.all(from, to).filter((range) => range.to >= from);
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
  all(): Iterable<SlotRange> {
    return prepareReader(this.database, ALL).iterate();
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
    this.open = this.statements.missing.all().map(toGap);
    this.totals = { held: 0, skipped: 0, missing: 0 };
    for (const { state, slots } of this.statements.totals.all()) this.totals[state] += slots;
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
    const from = asSlot(Math.max(mark.from - 1, 0));
    const to = asSlot(mark.to + 1);
    const before = this.ranges(from, to);
    const after = withMark(before, mark);
    for (const range of before) this.statements.remove.run(range.from);
    for (const range of after) this.statements.add.run(range);
    this.count(before, -1);
    this.count(after, 1);
    this.replaceGaps(before, after);
    return { before, after };
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

function textOf(range: SlotRange): string {
  return JSON.stringify(SLOT_RANGES.toCells(range));
}
