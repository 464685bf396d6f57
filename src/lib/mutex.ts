/** Runs asynchronous work one piece at a time, in the order of the calls. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Settles as the work does. A failed piece does not block the next one. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work, work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
