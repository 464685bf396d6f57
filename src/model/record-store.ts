import { StoreError } from './errors.ts';
import type { Slot } from './units.ts';

/** Numbers of spaces are below this. */
export const SPACES_MAX = 2 ** 16;
/** Numbers of records within a space are below this. */
export const RECORD_IDS_MAX = 2 ** 40;

/** The state that a checkpoint contains. */
export interface CheckpointHead {
  /** The last slot in it, and the hash of its block, null when unknown. */
  readonly slot: Slot;
  readonly blockhash: string | null;
  /** Time of that slot, by which old checkpoints are removed. */
  readonly timeMs: number;
  /** Everything that its bytes and their meaning depend on, as text. */
  readonly rules: string;
  /** What the caller needs beside the records to use them. */
  readonly head: Uint8Array;
}

/** A checkpoint that can be opened. */
export type RetainedState = Pick<CheckpointHead, 'slot' | 'timeMs'>;

/** Sizes of a store. */
export interface RecordSizes {
  readonly recordCount: number;
  /** All files, including what older checkpoints refer to. */
  readonly fileBytes: number;
  /** What the newest content of all records and their index take of it. */
  readonly liveBytes: number;
}

/**
 * Records of bytes, addressed by the number of a space (a table) and a number within it. Numbers
 * within a space are dense from 0: the index of a space is an array. Everything is synchronous
 * except for `commit`.
 *
 * A checkpoint is begun, completed with the content as of its begin while newer content is already
 * put, and committed. A store that is opened later has exactly the content as of the begin of a
 * committed checkpoint; everything else is lost with the process.
 */
export interface RecordStore {
  /**
   * The content as last put; null if it was never put or was deleted. The bytes must not be changed
   * and are valid until the next call of this store. Throws DamagedRecordError when they differ
   * from what was put, StoreError when the device fails.
   */
  read(space: number, id: number): Uint8Array | null;
  /**
   * Replaces the content of a record; the bytes are copied. While a checkpoint is open this is newer
   * content, which the checkpoint does not contain. When the device fails (full, read-only, I/O
   * error, too many open files), the bytes stay in memory until `settle` or a later call has written
   * them. Throws StoreError when the index cannot be read.
   */
  put(space: number, id: number, bytes: Uint8Array): void;
  /** Removes a record, if there is one. Throws as `put` does. */
  delete(space: number, id: number): void;
  /** Bytes that could not be written because the device failed. */
  readonly unwrittenBytes: number;
  /** Why the device did not take them; null if none wait. */
  readonly writeFailure: StoreError | null;
  /** Writes these bytes. Throws StoreError while that fails. */
  settle(): void;
  /**
   * Begins a checkpoint of everything put and deleted so far. Only one can be open. Throws
   * LostRecordsError when records whose write the device did not confirm cannot be read any more;
   * StoreError while the device fails.
   */
  begin(): void;
  /**
   * Puts content as of the begin of the open checkpoint. Must precede any newer content of the same
   * record.
   */
  putAsOf(space: number, id: number, bytes: Uint8Array): void;
  /** Removes content as of the begin of the open checkpoint, if there is any. As `putAsOf`. */
  deleteAsOf(space: number, id: number): void;
  /**
   * Makes the open checkpoint durable. Records may be read, put and deleted meanwhile. Returns
   * whether it is now the newest checkpoint: false if it was aborted. Throws StoreError when the
   * device fails: the checkpoint is then dropped, and the earlier ones are unchanged.
   */
  commit(head: CheckpointHead): Promise<boolean>;
  /**
   * Drops the open checkpoint, also while it is committed. The newest content of each record stays.
   */
  abort(): void;
  /**
   * Moves live records out of files that consist mostly of replaced ones, after reading at most some
   * `maxBytes` bytes. Returns the number of bytes read; 0 when there is nothing to do, and when a
   * file cannot be read: that file is left as it is for a number of calls, and later calls go on
   * with others.
   */
  compact(maxBytes: number): number;
  /** Why `compact` left a file; null if it left none. */
  readonly compactionFailure: StoreError | null;
  sizes(): RecordSizes;
  /** Memory that the index takes: bounded, but for what has changed since the last checkpoint. */
  readonly indexBytes: number;
  /** The checkpoints that can be opened, newest first. */
  readonly retained: readonly RetainedState[];
  /** No other call is allowed afterwards. Must not be called during a commit. */
  close(): void;
}

/** A stored record differs from what was written. */
export class DamagedRecordError extends StoreError {
  /** The file, and the byte in it where the record begins. */
  readonly segment: string;
  readonly offsetBytes: number;

  constructor(segment: string, offsetBytes: number, subject: string) {
    super(
      `${subject} is damaged: byte ${offsetBytes} of ${segment} and those behind it. ` +
        '"mintscope check --repair" removes the checkpoints that need it.',
    );
    this.segment = segment;
    this.offsetBytes = offsetBytes;
  }
}

/**
 * Records are lost whose write the device did not confirm. No checkpoint contains them, as it becomes
 * valid with that confirmation: a state is to be computed again from the newest one.
 */
export class LostRecordsError extends StoreError {
  constructor(cause: StoreError) {
    super(`What the device did not confirm cannot be read any more: ${cause.message}`, { cause });
  }
}

/** Throws RangeError for numbers that no record can have. */
export function assertRecordNumbers(space: number, id: number): void {
  if (!(Number.isInteger(space) && space >= 0 && space < SPACES_MAX)) {
    throw new RangeError(`${space} is not the number of a space`);
  }
  if (!(Number.isInteger(id) && id >= 0 && id < RECORD_IDS_MAX)) {
    throw new RangeError(`${id} is not the number of a record`);
  }
}
