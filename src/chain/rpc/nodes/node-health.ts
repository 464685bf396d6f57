import type { FailureHarm } from './rpc-failure.ts';

export interface HealthOptions {
  /** Consecutive failures after which the node gets only single probes. */
  readonly circuitFailures: number;
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
}

export const HEALTH_DEFAULTS: HealthOptions = {
  circuitFailures: 5,
  backoffBaseMs: 100,
  backoffMaxMs: 30_000,
};

/** Bound on the wait that a node may request. */
const RETRY_AFTER_MAX_MS = 5 * 60_000;

/**
 * Decides whether a node may be used. After a failure it waits with full jitter (a random share of
 * a bound that doubles); many consecutive failures open the circuit: then one request at a time
 * probes it. Only a result makes it healthy again; an opened connection does not.
 */
export class NodeHealth {
  private readonly options: HealthOptions;
  private readonly random: () => number;
  private failureCount = 0;
  private notBeforeMs = Number.NEGATIVE_INFINITY;

  /** `random` returns numbers in [0, 1). */
  constructor(options: HealthOptions, random: () => number) {
    this.options = options;
    this.random = random;
  }

  /** Failures since the last result. */
  get failures(): number {
    return this.failureCount;
  }

  get isCircuitOpen(): boolean {
    return this.failureCount >= this.options.circuitFailures;
  }

  waitMs(nowMs: number): number {
    return Math.max(0, Math.ceil(this.notBeforeMs - nowMs));
  }

  /** Whether one more request may run in addition to those in flight. */
  hasCapacity(inFlight: number): boolean {
    return this.failureCount === 0 || inFlight === 0;
  }

  succeed(): void {
    this.failureCount = 0;
    this.notBeforeMs = Number.NEGATIVE_INFINITY;
  }

  fail(harm: FailureHarm, retryAfterMs: number | null, nowMs: number): void {
    if (harm === 'none') return;
    const { backoffBaseMs, backoffMaxMs } = this.options;
    const boundMs = Math.min(backoffMaxMs, backoffBaseMs * 2 ** Math.min(this.failureCount, 30));
    this.failureCount++;
    const jitterMs = boundMs * this.random();
    const askedMs = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
    this.notBeforeMs = Math.max(this.notBeforeMs, nowMs + askedMs + jitterMs);
  }
}
