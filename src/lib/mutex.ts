/** Lets one piece of asynchronous work run at a time, in the order in which they were asked for. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Settles as the work does. A piece that fails does not keep the next one from running. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work, work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
