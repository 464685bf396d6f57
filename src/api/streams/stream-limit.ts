import { ApiError } from '../../model/errors.ts';

/** Streams that one account may have open, and all of them together. */
export const STREAMS_PER_ACCOUNT_MAX = 100;
export const STREAMS_MAX = 10_000;

/** Counts open streams by account, whatever protocol they speak. */
export class StreamLimit {
  private readonly perAccountMax: number;
  private readonly open = new Map<string, number>();
  private total = 0;

  constructor(perAccountMax: number = STREAMS_PER_ACCOUNT_MAX) {
    this.perAccountMax = perAccountMax;
  }

  get size(): number {
    return this.total;
  }

  /** Throws ApiError 429, or 503 where the service has no room; returns what counts it out again. */
  enter(accountId: string): () => void {
    const count = this.open.get(accountId) ?? 0;
    if (count >= this.perAccountMax) {
      throw new ApiError(429, `This account has ${count} streams open, as many as it may.`);
    }
    if (this.total >= STREAMS_MAX) throw new ApiError(503, 'Too many streams are open: try later.');
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
