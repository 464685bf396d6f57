import { ChainError, StoreError, UsageError } from '../model/errors.ts';

/** An error as it crosses threads, where classes do not. */
export interface Fault {
  readonly kind: 'usage' | 'store' | 'chain' | 'other';
  readonly message: string;
  readonly stack: string | null;
}

export function toFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { kind: 'other', message: String(error), stack: null };
  return { kind: kindOf(error), message: error.message, stack: error.stack ?? null };
}

/** The error again, with the stack of where it happened. */
export function toError({ kind, message, stack }: Fault): Error {
  const error = new CLASSES[kind](message);
  if (stack !== null) error.stack = stack;
  return error;
}

const CLASSES = {
  usage: UsageError,
  store: StoreError,
  chain: ChainError,
  other: Error,
} as const satisfies Record<Fault['kind'], new (message: string) => Error>;

function kindOf(error: Error): Fault['kind'] {
  if (error instanceof UsageError) return 'usage';
  if (error instanceof StoreError) return 'store';
  return error instanceof ChainError ? 'chain' : 'other';
}
