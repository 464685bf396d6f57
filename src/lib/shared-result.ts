/**
 * A result shared by all concurrent callers: one computation runs at a time, and its result is kept
 * for a short time. Failures are not kept.
 */
export class SharedResult<Result> {
  private readonly make: () => Promise<Result>;
  private readonly keptMs: number;
  private readonly nowMs: () => number;
  private pending: Promise<Result> | null = null;
  private latest: { readonly result: Result; readonly madeAtMs: number } | null = null;

  /** `nowMs`: a monotonic clock. */
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
