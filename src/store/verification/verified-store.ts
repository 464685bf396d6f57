import type { DatabaseSync } from 'node:sqlite';
import type { CursorTable } from '../control/cursor.ts';
import type { GapLedger } from '../control/gap-ledger.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { Lane } from '../sql/lane.ts';
import type { PartRecord } from './part-record.ts';

/** What the verification looks at, and repairs. */
export interface VerifiedStore {
  readonly control: DatabaseSync;
  /** Where rows are written, in order. */
  readonly writer: Lane;
  /** Where much is read. */
  readonly heavy: Lane;
  readonly cursor: CursorTable;
  readonly gaps: GapLedger;
  readonly record: PartRecord;
  readonly snapshots: Snapshots;
  /** This process is the first that ever opened the control database. */
  readonly isControlNew: boolean;
}
