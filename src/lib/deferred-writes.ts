import { isTransientError } from './transient-error.ts';

/**
 * Writes that follow from what has happened already and can be refused by nobody. One that fails for a
 * reason that may pass waits, and every later one behind it, until `settle` gets them written in their
 * order. Each is a transaction and what follows from it: it is done again from its beginning.
 */
export class DeferredWrites {
  private readonly waiting: (() => void)[] = [];

  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** Does a write now, or once those before it are done. Throws what no time will mend. */
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

  /** Does what waits. Throws what the next of them failed with, which then waits on. */
  settle(): void {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      next();
      this.waiting.shift();
    }
  }
}
