import type { DatabaseSync } from 'node:sqlite';
import type { CursorTable } from '../control/cursor.ts';
import type { GapLedger } from '../control/gap-ledger.ts';
import type { KnownLogStart } from '../log-start.ts';
import type { Lane } from '../sql/lane.ts';
import type { PartRecord } from './part-record.ts';

/** The parts of the store that the verification checks and repairs. */
export interface VerifiedStore {
  readonly control: DatabaseSync;
  /** Writes rows, in order. */
  readonly writer: Lane;
  /** For long reads. */
  readonly heavy: Lane;
  readonly cursor: CursorTable;
  readonly gaps: GapLedger;
  readonly record: PartRecord;
  /** Earlier slots were dropped from the log on purpose. */
  readonly logStart: KnownLogStart;
  /** Whether this process is the first that opened the control database. */
  readonly isControlNew: boolean;
}
