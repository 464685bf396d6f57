import { ApiError } from '../../model/errors.ts';

/** Maximum number of open streams per account, and in total. */
export const STREAMS_PER_ACCOUNT_MAX = 100;
export const STREAMS_MAX = 10_000;

/** Counts open streams by account, across all protocols. */
export class StreamLimit {
  /** Maximum number of open streams of one account. */
  readonly perAccountMax: number;
  private readonly open = new Map<string, number>();
  private total = 0;

  constructor(perAccountMax: number = STREAMS_PER_ACCOUNT_MAX) {
    this.perAccountMax = perAccountMax;
  }

  get size(): number {
    return this.total;
  }

  /** Number of open streams of an account. */
  openOf(accountId: string): number {
    return this.open.get(accountId) ?? 0;
  }

  /**
   * Counts a stream. Throws ApiError 429 at the account's limit, and 503 at the total limit.
   * Returns a function that releases the stream.
   */
  enter(accountId: string): () => void {
    const count = this.openOf(accountId);
    if (count >= this.perAccountMax) {
      throw new ApiError(429, `This account has ${count} open streams, the maximum.`);
    }
    if (this.total >= STREAMS_MAX) {
      throw new ApiError(503, 'Too many open streams: try again later.');
    }
    this.open.set(accountId, count + 1);
    this.total++;
    let isIn = true;
    return () => {
      if (isIn) this.leave(accountId);
      isIn = false;
    };
  }

  private leave(accountId: string): void {
    this.total--;
    const left = (this.open.get(accountId) ?? 1) - 1;
    if (left === 0) this.open.delete(accountId);
    else this.open.set(accountId, left);
  }
}
