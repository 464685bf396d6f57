/** The failures a client may see. Everything else is a bug and becomes a 500. */
export type ApiStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: ApiStatus;

  constructor(status: ApiStatus, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The operator asked for something that cannot be done. Printed as one sentence, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface StoreErrorOptions extends ErrorOptions {
  readonly isTransient?: boolean;
}

/**
 * The store refused or lost a read or a write; nothing is half-committed. What is transient may be
 * tried again as it is: the disk was full, the device failed. Anything else ends the process.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly isTransient: boolean;

  constructor(message: string, { isTransient = false, ...options }: StoreErrorOptions = {}) {
    super(message, options);
    this.isTransient = isTransient;
  }
}

/**
 * What a source tells contradicts what is final, or leaves more open than can be held. Ingestion
 * stops; what is stored stays as it is.
 */
export class ChainError extends Error {
  override readonly name = 'ChainError';
}

/** A thread that the service cannot do without has ended by itself. The process stops. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';
}

export type SourceProblemCode =
  | 'unreadable'
  | 'not-json'
  | 'corrupt-archive'
  | 'not-a-record'
  | 'no-slot'
  | 'missing-meta'
  | 'missing-loaded-addresses'
  | 'unsupported-version'
  | 'bad-encoding'
  | 'bad-address'
  | 'bad-transaction'
  | 'decoder-stopped'
  | 'deep-fork'
  | 'other-block'
  | 'contradicted-block'
  | 'source-denied';

/** Part of a source that could not be used. The rest goes on; every one is counted and shown. */
export interface SourceProblem {
  readonly code: SourceProblemCode;
  /** File as the user named it, or the endpoint. */
  readonly origin: string;
  /** Byte, line or transaction within the origin, in words; null when the whole origin is meant. */
  readonly position: string | null;
  readonly message: string;
}
