/**
 * A result that everybody who asks at nearly the same time shares: it is made once at a time, and kept
 * for a moment after it was made. What failed is not kept.
 */
export class SharedResult<Result> {
  private readonly make: () => Promise<Result>;
  private readonly keptMs: number;
  private readonly nowMs: () => number;
  private pending: Promise<Result> | null = null;
  private latest: { readonly result: Result; readonly madeAtMs: number } | null = null;

  /** `nowMs`: a clock that nobody sets. */
  constructor(make: () => Promise<Result>, keptMs: number, nowMs: () => number) {
    this.make = make;
    this.keptMs = keptMs;
    this.nowMs = nowMs;
  }

  async get(): Promise<Result> {
    const { latest } = this;
    if (latest !== null && this.nowMs() - latest.madeAtMs < this.keptMs) return latest.result;
    this.pending ??= this.renew().finally(() => {
      this.pending = null;
    });
    return await this.pending;
  }

  private async renew(): Promise<Result> {
    const result = await this.make();
    this.latest = { result, madeAtMs: this.nowMs() };
    return result;
  }
}
