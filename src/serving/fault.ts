import { isTransientError } from '../lib/transient-error.ts';
import { ApiError, type ApiStatus, ChainError, StoreError, UsageError } from '../model/errors.ts';

/** An error as it crosses threads, where classes do not. */
export interface Fault {
  readonly kind: 'usage' | 'store' | 'chain' | 'api' | 'other';
  readonly message: string;
  readonly stack: string | null;
  /** What a client is answered; of `api` faults alone. */
  readonly status?: ApiStatus;
  /** The same may succeed later. */
  readonly isTransient: boolean;
}

export function toFault(error: unknown): Fault {
  if (!(error instanceof Error)) {
    return { kind: 'other', message: String(error), stack: null, isTransient: false };
  }
  const { message, stack = null } = error;
  // A database may be asked outside a transaction, where nobody words its refusals.
  const isTransient = isTransientError(error);
  const kind = isTransient ? 'store' : kindOf(error);
  const fault = { kind, message, stack, isTransient };
  return error instanceof ApiError ? { ...fault, status: error.status } : fault;
}

/** The error again, with the stack of where it happened. */
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
