/** Failures that a client may see. Everything else is a bug and becomes a 500. */
export type ApiStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: ApiStatus;

  constructor(status: ApiStatus, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The operator requested something impossible. Printed as one sentence, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface ServiceErrorOptions extends ErrorOptions {
  readonly isPermanent?: boolean;
}

/**
 * A running service that a command asked gave no usable answer. Exit code 1. After a permanent one,
 * the same question gets the same answer.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly isPermanent: boolean;

  constructor(message: string, { isPermanent = false, ...options }: ServiceErrorOptions = {}) {
    super(message, options);
    this.isPermanent = isPermanent;
  }
}

export interface StoreErrorOptions extends ErrorOptions {
  readonly isTransient?: boolean;
}

/**
 * A read or write of the store failed; nothing is partially committed. Transient failures (disk
 * full, device error) may be retried unchanged. Any other failure ends the process.
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
 * The data of a source contradicts final data, or leaves more slots unfinalized than can be
 * buffered. Ingestion stops; stored data is unchanged.
 */
export class ChainError extends Error {
  override readonly name = 'ChainError';
}

/** A thread that the service requires has exited unexpectedly. The process stops. */
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
  | 'too-late'
  | 'contradicted-block'
  | 'source-denied'
  | 'foreign-message'
  | 'log-unreadable'
  | 'log-truncated'
  | 'state-differs';

/**
 * Part of a source that could not be used. The rest is processed; every problem is counted and
 * reported.
 */
export interface SourceProblem {
  readonly code: SourceProblemCode;
  /** File name as given by the user, or the endpoint. */
  readonly origin: string;
  /**
   * Byte, line or transaction within the origin, in words; null when the problem concerns the whole
   * origin.
   */
  readonly position: string | null;
  readonly message: string;
}
