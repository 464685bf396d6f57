import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import { FindingIds } from './finding-ids.ts';

const LAYOUT = rowLayout({
  createdMs: 'f64',
  /** Plus one; 0 for a finding that was never reported. */
  detectionSlot: 'u32',
});
const { fields: FIELDS } = LAYOUT;

/** What stays of a finding when it is archived. */
export interface LapsedFinding {
  readonly createdMs: number;
  /** The slot in which it was first reported; null if it never was. */
  readonly detectionSlot: Slot | null;
}

/** Archived findings by id, 12 bytes each: one that is found again goes on as the same finding. */
export class LapsedFindings {
  private readonly rows: RowTable;
  private readonly rowsById: FindingIds;

  constructor(undo: UndoLog) {
    this.rows = new RowTable(LAYOUT, undo, 'lapsed findings');
    this.rowsById = new FindingIds(undo, 'lapsed findings by id');
  }

  get(id: string): LapsedFinding | null {
    const row = this.rowsById.get(id);
    if (row === -1) return null;
    const slot = this.rows.number(row, FIELDS.detectionSlot);
    return {
      createdMs: this.rows.number(row, FIELDS.createdMs),
      detectionSlot: slot === 0 ? null : asSlot(slot - 1),
    };
  }

  /** Adds a finding that is not in the table. */
  add(id: string, { createdMs, detectionSlot }: LapsedFinding): void {
    const row = this.rows.add();
    this.rows.setNumber(row, FIELDS.createdMs, createdMs);
    this.rows.setNumber(row, FIELDS.detectionSlot, detectionSlot === null ? 0 : detectionSlot + 1);
    this.rowsById.set(id, row);
  }

  remove(id: string): void {
    const row = this.rowsById.get(id);
    if (row === -1) return;
    this.rows.remove(row);
    this.rowsById.delete(id);
  }
}
