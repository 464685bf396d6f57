import { DamagedStateError } from '../lib/pages/page-pool.ts';
import { isTransientError } from '../lib/transient-error.ts';
import { StoreError } from '../model/errors.ts';
import { DamagedRecordError, LostRecordsError } from '../model/record-store.ts';

/**
 * What is stored of a state cannot be read or written. Its engine may have applied a part of a slot
 * and must be replaced. Damage counts as transient: the same question is answered once the state was
 * computed again.
 */
export class StateFailure extends StoreError {
  constructor(cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const isTransient = isTransientError(cause) || isDamage(cause);
    super(`The state cannot be used: ${message}`, { cause, isTransient });
  }
}

/** Whether an error of an engine or of its readers is a failure of its state. */
export function isStateFailure(error: unknown): boolean {
  return error instanceof StateFailure || error instanceof DamagedStateError;
}

/** Whether an error means that stored parts of a state differ from what was written. */
export function isDamage(error: unknown): boolean {
  const cause = error instanceof StateFailure ? error.cause : error;
  return cause instanceof DamagedRecordError || cause instanceof DamagedStateError;
}

/** Whether an error means that records are lost which no checkpoint has yet. */
export function isLoss(error: unknown): boolean {
  return (error instanceof StateFailure ? error.cause : error) instanceof LostRecordsError;
}

/** Whether an error means that the device did not read what is stored, whose content may be right. */
export function isUnread(error: unknown): boolean {
  return isStateFailure(error) && !isDamage(error) && !isLoss(error);
}

/** Does some work with the records of a state. Throws StateFailure when some of them are lost. */
export function orStateFailure(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw error instanceof LostRecordsError ? new StateFailure(error) : error;
  }
}
