/** The slot that all answers must be as of: that of the first one which has a slot. */
export class OneSlot {
  private slot: number | null = null;

  /** Throws if an answer is as of another slot than those before, or of none. */
  assert(url: string, slot: number | null): void {
    this.slot ??= slot;
    if (slot === null || slot !== this.slot) {
      throw new Error(`${url} is as of slot ${slot}, an answer before it of ${this.slot}`);
    }
  }
}
