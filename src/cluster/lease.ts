import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';

/** What the servers keep under the key of a lease. */
export interface LeaseEntry {
  /** Token of the tenure, or empty for a lease that was given back. */
  readonly token: string;
  /** Rises with each write of the key. */
  readonly revision: number;
}

/** Where leases are kept: reads and writes of one key in one order. */
export interface LeaseStore {
  /** Null before the first write. */
  read(key: string): Promise<LeaseEntry | null>;
  /** Writes if the key still has this revision (0: none), and returns the new one; otherwise null. */
  write(key: string, token: string, revision: number): Promise<number | null>;
}

export interface LeaseTiming {
  /** A lease that is not renewed for this long may be taken. */
  readonly leaseMs: number;
  readonly renewMs: number;
  /** Between reads of a lease that another process holds. */
  readonly pollMs: number;
  /** The holder stops relying on it this much earlier than others may take it. */
  readonly marginMs: number;
}

/**
 * A holder that is killed is replaced within `pollMs + leaseMs` and one read and one write; one that
 * stands still for less than `leaseMs - marginMs - renewMs` keeps it.
 */
export const LEASE_TIMING: LeaseTiming = {
  leaseMs: 2_500,
  renewMs: 500,
  pollMs: 250,
  marginMs: 500,
};

export interface LeaseOptions {
  readonly store: LeaseStore;
  /** What at most one process does at a time. */
  readonly key: string;
  /** A monotonic clock. */
  readonly clock: Clock;
  readonly timing?: Partial<LeaseTiming>;
  readonly onChange?: (isHeld: boolean) => void;
  /** Whether this process may do it; a lease is given back when it may not. Omitted: always. */
  readonly isWanted?: () => boolean;
}

/**
 * A lease that one process holds at a time. No clock is compared with that of another machine: a
 * process takes the lease when it has seen the same revision for longer than the lease, by its own
 * monotonic clock, and only if the revision is still the same at that moment.
 *
 * A process that was stopped while it held the lease notices by its own clock that it is over.
 * Whoever acts on the lease asks `confirm` right before: it renews the lease, which the servers
 * refuse if another process has taken it.
 */
export class Lease {
  private readonly options: LeaseOptions;
  private readonly timing: LeaseTiming;
  private token: string | null = null;
  private revision = 0;
  private heldUntilMs = Number.NEGATIVE_INFINITY;
  private seen: { readonly revision: number; readonly sinceMs: number } | null = null;
  private epochNow: number | null = null;
  private renewing: Promise<boolean> | null = null;
  private wasHeld = false;

  constructor(options: LeaseOptions) {
    this.options = options;
    this.timing = { ...LEASE_TIMING, ...options.timing };
  }

  /** Whether the lease is held, as far as is known without asking. */
  get isHeld(): boolean {
    return this.token !== null && this.options.clock.nowMs() < this.heldUntilMs;
  }

  /** The revision at which this process took the lease: higher for each tenure; null without it. */
  get epoch(): number | null {
    return this.isHeld ? this.epochNow : null;
  }

  /** Takes and renews the lease until the signal is aborted, then gives it back. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.options;
    while (!signal.aborted) {
      await this.step();
      await clock.sleep(this.pauseMs, signal);
    }
    await this.giveBack();
  }

  /** Whether this process holds the lease at this moment, according to the servers. */
  confirm(): Promise<boolean> {
    if (!this.isHeld || !this.isWanted) return Promise.resolve(false);
    this.renewing ??= this.renew().finally(() => {
      this.renewing = null;
    });
    return this.renewing;
  }

  /** Until the lease is renewed, read, or may be taken because nobody has renewed it. */
  private get pauseMs(): number {
    const { renewMs, pollMs, leaseMs } = this.timing;
    if (this.token !== null) return renewMs;
    const { seen } = this;
    if (seen === null) return pollMs;
    const leftMs = seen.sinceMs + leaseMs - this.options.clock.nowMs();
    return leftMs > 0 ? Math.min(pollMs, leftMs) : pollMs;
  }

  private get isWanted(): boolean {
    return this.options.isWanted?.() ?? true;
  }

  private async step(): Promise<void> {
    if (!this.isWanted) return this.giveBack();
    try {
      if (this.token === null || !(await (this.renewing ?? this.renew()))) await this.tryToTake();
    } catch {
      // The servers do not answer: what is held runs out by itself.
    }
    this.notify();
  }

  private async renew(): Promise<boolean> {
    const { store, key, clock } = this.options;
    const { token } = this;
    if (token === null) return false;
    const startedMs = clock.nowMs();
    const revision = await store.write(key, token, this.revision).catch(() => undefined);
    // Whether a write without an answer was made is unknown: the next read shows it.
    if (revision === undefined) return this.recover(token, startedMs);
    if (revision === null) return this.lose();
    this.hold(revision, startedMs);
    return true;
  }

  private async recover(token: string, startedMs: number): Promise<boolean> {
    const { store, key } = this.options;
    const entry = await store.read(key).catch(() => null);
    if (entry === null) return false;
    if (entry.token !== token) return this.lose();
    this.hold(entry.revision, startedMs);
    return true;
  }

  private async tryToTake(): Promise<void> {
    const { store, key, clock } = this.options;
    const entry = await store.read(key);
    const nowMs = clock.nowMs();
    const revision = entry?.revision ?? 0;
    if (this.seen?.revision !== revision) this.seen = { revision, sinceMs: nowMs };
    const isFree = entry === null || entry.token === '';
    if (!isFree && nowMs - this.seen.sinceMs < this.timing.leaseMs) return;
    const token = randomUUID();
    const taken = await store.write(key, token, revision);
    if (taken === null) return;
    this.token = token;
    this.epochNow = taken;
    this.hold(taken, nowMs);
  }

  private hold(revision: number, startedMs: number): void {
    const { leaseMs, marginMs } = this.timing;
    this.revision = revision;
    // From the moment before the write: others see the revision later.
    this.heldUntilMs = startedMs + leaseMs - marginMs;
  }

  private lose(): boolean {
    this.token = null;
    this.epochNow = null;
    this.heldUntilMs = Number.NEGATIVE_INFINITY;
    this.notify();
    return false;
  }

  private async giveBack(): Promise<void> {
    const { store, key } = this.options;
    if (this.token !== null) await store.write(key, '', this.revision).catch(() => null);
    this.lose();
  }

  private notify(): void {
    const { isHeld } = this;
    if (isHeld === this.wasHeld) return;
    this.wasHeld = isHeld;
    this.options.onChange?.(isHeld);
  }
}
