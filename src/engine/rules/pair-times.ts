import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';

const LAYOUT = rowLayout({ untilMs: 'f64', step: 'u32' });
const { untilMs: UNTIL_MS, step: STEP } = LAYOUT.fields;

/** A step that is valid until a time. */
export interface TimedStep {
  readonly step: number;
  readonly untilMs: number;
}

/** Times by number of a rule and id of an address. */
export class PairTimes {
  private readonly rows: RowTable;
  private readonly index: PairIndex;

  constructor(undo: UndoLog, name: string) {
    this.rows = new RowTable(LAYOUT, undo, name);
    this.index = new PairIndex(undo, `${name} index`);
  }

  get(rule: number, id: number): TimedStep | null {
    const row = id === -1 ? -1 : this.index.get(rule, id);
    if (row === -1) return null;
    return { step: this.rows.number(row, STEP), untilMs: this.rows.number(row, UNTIL_MS) };
  }

  set(rule: number, id: number, { step, untilMs }: TimedStep): void {
    const known = this.index.get(rule, id);
    const row = known === -1 ? this.rows.add() : known;
    if (known === -1) this.index.set(rule, id, row);
    this.rows.setNumber(row, STEP, step);
    this.rows.setNumber(row, UNTIL_MS, untilMs);
  }

  delete(rule: number, id: number): void {
    const row = this.index.get(rule, id);
    if (row === -1) return;
    this.index.delete(rule, id);
    this.rows.remove(row);
  }

  /** Deletes those of a rule that end before a time. */
  dropBefore(rule: number, beforeMs: number): void {
    const ended: number[] = [];
    this.index.forEachOf(rule, (id, row) => {
      if (this.rows.number(row, UNTIL_MS) < beforeMs) ended.push(id);
    });
    for (const id of ended) this.delete(rule, id);
  }

  get size(): number {
    return this.rows.size;
  }
}
