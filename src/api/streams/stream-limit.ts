import { ApiError } from '../../model/errors.ts';

/** Streams that one key may have open, and all of them together. */
export const STREAMS_PER_KEY_MAX = 100;
export const STREAMS_MAX = 10_000;

/** Counts open streams by key, whatever protocol they speak. */
export class StreamLimit {
  private readonly perKeyMax: number;
  private readonly open = new Map<string, number>();
  private total = 0;

  constructor(perKeyMax: number = STREAMS_PER_KEY_MAX) {
    this.perKeyMax = perKeyMax;
  }

  get size(): number {
    return this.total;
  }

  /** Throws ApiError 429, or 503 where the service has no room; returns what counts it out again. */
  enter(keyId: string): () => void {
    const count = this.open.get(keyId) ?? 0;
    if (count >= this.perKeyMax) {
      throw new ApiError(429, `This API key has ${count} streams open, as many as it may.`);
    }
    if (this.total >= STREAMS_MAX) throw new ApiError(503, 'Too many streams are open: try later.');
    this.open.set(keyId, count + 1);
    this.total++;
    let isIn = true;
    return () => {
      if (isIn) this.leave(keyId);
      isIn = false;
    };
  }

  private leave(keyId: string): void {
    this.total--;
    const left = (this.open.get(keyId) ?? 1) - 1;
    if (left === 0) this.open.delete(keyId);
    else this.open.set(keyId, left);
  }
}
