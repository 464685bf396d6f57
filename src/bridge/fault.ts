import { isTransientError } from '../lib/transient-error.ts';
import { ApiError, type ApiStatus, ChainError, StoreError, UsageError } from '../model/errors.ts';

/** An error in a form that can be passed between threads; class instances cannot. */
export interface Fault {
  readonly kind: 'usage' | 'store' | 'chain' | 'api' | 'other';
  readonly message: string;
  readonly stack: string | null;
  /** HTTP status of the response; only for kind `api`. */
  readonly status?: ApiStatus;
  /** The operation may succeed later. */
  readonly isTransient: boolean;
}

export function toFault(error: unknown): Fault {
  if (!(error instanceof Error)) {
    return { kind: 'other', message: String(error), stack: null, isTransient: false };
  }
  const { message, stack = null } = error;
  // Databases may be read outside a transaction, where errors are not wrapped in StoreError.
  const isTransient = isTransientError(error);
  const kind = isTransient ? 'store' : kindOf(error);
  const fault = { kind, message, stack, isTransient };
  return error instanceof ApiError ? { ...fault, status: error.status } : fault;
}

/** Restores the error, with its original stack. */
export function toError(fault: Fault): Error {
  const error = errorOf(fault);
  if (fault.stack !== null) error.stack = fault.stack;
  return error;
}

function errorOf({ kind, message, status = 500, isTransient }: Fault): Error {
  if (kind === 'api') return new ApiError(status, message);
  if (kind === 'store') return new StoreError(message, { isTransient });
  return new CLASSES[kind](message);
}

const CLASSES = {
  usage: UsageError,
  chain: ChainError,
  other: Error,
} as const satisfies Record<
  Exclude<Fault['kind'], 'api' | 'store'>,
  new (
    message: string,
  ) => Error
>;

function kindOf(error: Error): Fault['kind'] {
  if (error instanceof ApiError) return 'api';
  if (error instanceof UsageError) return 'usage';
  if (error instanceof StoreError) return 'store';
  return error instanceof ChainError ? 'chain' : 'other';
}
