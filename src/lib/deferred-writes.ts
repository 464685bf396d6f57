import { isTransientError } from './transient-error.ts';

/**
 * Writes that record what has already happened and can no longer be rejected. A write that fails
 * with a transient error is queued, with every later write behind it, until `settle` performs them
 * in order. Each write is one transaction and its consequences; a retry repeats it from the start.
 */
export class DeferredWrites {
  private readonly waiting: (() => void)[] = [];

  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /**
   * Performs a write now, or queues it behind waiting ones. Throws errors that are not transient.
   */
  add(write: () => void): void {
    if (this.isWaiting) {
      this.waiting.push(write);
      return;
    }
    try {
      write();
    } catch (error) {
      if (!isTransientError(error)) throw error;
      this.waiting.push(write);
    }
  }

  /** Performs the queued writes. Throws the error of the first that fails, which stays queued. */
  settle(): void {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      next();
      this.waiting.shift();
    }
  }
}
