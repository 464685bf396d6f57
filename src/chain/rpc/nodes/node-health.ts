import type { FailureHarm } from './rpc-failure.ts';

export interface HealthOptions {
  /** Failures in a row after which the node is left alone but for single probes. */
  readonly circuitFailures: number;
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
}

export const HEALTH_DEFAULTS: HealthOptions = {
  circuitFailures: 5,
  backoffBaseMs: 100,
  backoffMaxMs: 30_000,
};

/** Nobody is asked to wait longer than this, whatever a node says. */
const RETRY_AFTER_MAX_MS = 5 * 60_000;

/**
 * Whether a node may be asked. Failures make it wait with full jitter (a random share of a bound that
 * doubles); many in a row open the circuit: then one request at a time probes it. Only a result makes
 * it well again: a connection that opens says nothing.
 */
export class NodeHealth {
  private readonly options: HealthOptions;
  private readonly random: () => number;
  private failureCount = 0;
  private notBeforeMs = Number.NEGATIVE_INFINITY;

  /** `random` gives numbers from 0 to below 1. */
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

  /** Whether one more request may run beside those that do. */
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
