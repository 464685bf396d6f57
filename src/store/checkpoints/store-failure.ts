import { isSystemError, isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';

/** Does some work; failures of the operating system become StoreErrors. */
export function orStoreError<Done>(doing: string, work: () => Done): Done {
  try {
    return work();
  } catch (error) {
    throw toStoreError(doing, error);
  }
}

/** Describes a failure of the operating system; other errors are returned as they are. */
export function toStoreError(doing: string, error: unknown): unknown {
  return isSystemError(error) ? asStoreError(doing, error) : error;
}

/** Describes a failure of the operating system. */
export function asStoreError(doing: string, error: NodeJS.ErrnoException): StoreError {
  return new StoreError(`Checkpoints cannot be ${doing}: ${error.message}`, {
    cause: error,
    isTransient: isTransientError(error),
  });
}
