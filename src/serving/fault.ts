import { ApiError, type ApiStatus, ChainError, StoreError, UsageError } from '../model/errors.ts';

/** An error as it crosses threads, where classes do not. */
export interface Fault {
  readonly kind: 'usage' | 'store' | 'chain' | 'api' | 'other';
  readonly message: string;
  readonly stack: string | null;
  /** What a client is answered; of `api` faults alone. */
  readonly status?: ApiStatus;
}

export function toFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { kind: 'other', message: String(error), stack: null };
  const fault = { kind: kindOf(error), message: error.message, stack: error.stack ?? null };
  return error instanceof ApiError ? { ...fault, status: error.status } : fault;
}

/** The error again, with the stack of where it happened. */
export function toError({ kind, message, stack, status = 500 }: Fault): Error {
  const error = kind === 'api' ? new ApiError(status, message) : new CLASSES[kind](message);
  if (stack !== null) error.stack = stack;
  return error;
}

const CLASSES = {
  usage: UsageError,
  store: StoreError,
  chain: ChainError,
  other: Error,
} as const satisfies Record<Exclude<Fault['kind'], 'api'>, new (message: string) => Error>;

function kindOf(error: Error): Fault['kind'] {
  if (error instanceof ApiError) return 'api';
  if (error instanceof UsageError) return 'usage';
  if (error instanceof StoreError) return 'store';
  return error instanceof ChainError ? 'chain' : 'other';
}
