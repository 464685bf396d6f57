import { StoreError } from '../model/errors.ts';
import { asSlot, type Slot } from '../model/units.ts';
import { LOG_STARTS } from './migrations/0009-log-starts.ts';
import { encodeRow } from './sql/cell.ts';
import type { Lane } from './sql/lane.ts';
import type { NamedValues } from './sqlite/named-values.ts';
import type { WriteGuard } from './writes/slot-writer.ts';

/** The name of the first slot among the texts of the control database. */
export const LOG_START_NAME = 'log_start';

export interface LogStartSurroundings {
  /** The writer lane. */
  readonly lane: Lane;
  /** Small facts of the control plane. */
  readonly meta: Pick<NamedValues<string>, 'read' | 'write'>;
  readonly guard?: WriteGuard;
}

/**
 * The first slot of the log, once earlier ones were dropped on purpose. It is stored beside the log
 * and in the control plane, because neither can be computed again without it: a log that begins
 * later would be taken for the whole history. It only moves forward.
 */
export class LogStart {
  private readonly surroundings: LogStartSurroundings;
  private current: Slot | null;

  private constructor(surroundings: LogStartSurroundings, slot: Slot | null) {
    this.surroundings = surroundings;
    this.current = slot;
  }

  /** Reads both copies, and completes the one that was lost. Throws StoreError. */
  static async open(surroundings: LogStartSurroundings): Promise<LogStart> {
    const { lane, meta } = surroundings;
    const [row] = await lane.rows<{ slot: string }>(
      `SELECT max(slot) AS slot FROM ${LOG_STARTS.name}`,
    );
    // The engine returns 0 where there is no row; a log whose first slot is 0 is whole.
    const [beside, inControl] = [Number(row?.slot ?? 0), Number(meta.read(LOG_START_NAME) ?? 0)];
    const slot = Math.max(beside, inControl);
    const start = new LogStart(surroundings, slot === 0 ? null : asSlot(slot));
    if (beside !== inControl) await start.write(asSlot(slot));
    return start;
  }

  /** Slots before it are not in the log; null if none were dropped. */
  get slot(): Slot | null {
    return this.current;
  }

  /**
   * Moves the start forward; a slot that is not after it changes nothing. Durable when it resolves,
   * and readers of the log see none of the earlier slots from then on. Throws StoreError when this
   * process may no longer write.
   */
  async advance(slot: Slot): Promise<void> {
    if (slot <= (this.current ?? 0)) return;
    await this.write(slot);
    this.current = slot;
  }

  private async write(slot: Slot): Promise<void> {
    const { lane, meta, guard } = this.surroundings;
    await guard?.();
    await lane.insert(LOG_STARTS.name, ['slot', 'version'], encodeRow([slot, 1]));
    meta.write(LOG_START_NAME, String(slot));
  }
}

/** The part of `LogStart` that readers need. */
export type KnownLogStart = Pick<LogStart, 'slot'>;

/**
 * Throws StoreError where figures would have to be computed from the first slot on but earlier slots
 * of the log were dropped. `reason` is a sentence without its end.
 */
export function assertWholeLog({ slot }: KnownLogStart, reason: string): void {
  if (slot === null) return;
  throw new StoreError(
    `${reason}: everything would have to be computed again from the first slot on, but the log ` +
      `begins at slot ${slot}, because older slots were dropped (--log-retention). Start the ` +
      'version and settings that were in use before, or restore a backup of the data folder, or ' +
      'fill a new one with "mintscope backfill".',
  );
}
