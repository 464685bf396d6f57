import type { Clock } from '../../lib/clock.ts';
import { HttpClient } from '../../lib/http-client/http-client.ts';
import type { BundleOracle, ExactBundle } from '../../model/bundle-oracle.ts';
import { ChainError } from '../../model/errors.ts';
import type { Slot } from '../../model/units.ts';
import { TokenBucket } from '../rpc/nodes/token-bucket.ts';
import { readExplorerAnswer } from './explorer-answer.ts';

export interface BundleExplorerOptions {
  /** Server whose path `/api/v1/bundles/slot/{slot}` is requested. */
  readonly url: string;
  readonly requestsPerSecond: number;
  readonly clock: Clock;
  /** Ends waiting and requests. */
  readonly signal: AbortSignal;
}

const DEADLINE_MS = 10_000;
/** A slot has a few thousand transactions; an entry of one takes some 500 bytes. */
const ANSWER_BYTES_MAX = 4 * 1_024 * 1_024;
/** Pause after a refusal that names no time. */
const PAUSE_MS = 5_000;
const PAUSE_MS_MAX = 600_000;

/**
 * Bundles as Jito's public explorer knows them, one request for a slot. Each slot waits for its turn
 * below the rate, and after a refusal as long as the server asks for.
 *
 * An explorer answers an empty list both for a slot without bundles and for one that it has not
 * indexed yet.
 */
export class BundleExplorer implements BundleOracle {
  private readonly client: HttpClient;
  private readonly pace: TokenBucket;
  private readonly clock: Clock;
  private readonly signal: AbortSignal;
  private pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ url, requestsPerSecond, clock, signal }: BundleExplorerOptions) {
    this.client = new HttpClient({
      baseUrl: url,
      headers: {},
      deadlineMs: DEADLINE_MS,
      answerBytesMax: ANSWER_BYTES_MAX,
    });
    this.pace = new TokenBucket(requestsPerSecond);
    this.clock = clock;
    this.signal = signal;
  }

  /**
   * The bundles of two transactions or more; null if the explorer has no record of the slot. Rejects
   * with ChainError if it refuses, fails, or answers something else.
   */
  async bundlesOf(slot: Slot): Promise<readonly ExactBundle[] | null> {
    await this.turn();
    const answer = await this.client.request({ path: `/api/v1/bundles/slot/${slot}` }, this.signal);
    if (answer.kind === 'failed') throw new ChainError(`Bundle explorer ${answer.message}.`);
    const { status, json } = answer;
    if (status === 404) return null;
    if (status === 429 || status === 503) this.pause(answer.header('retry-after'));
    if (status !== 200) throw this.fault(`status ${status}`);
    const read = readExplorerAnswer(json, slot);
    if (typeof read === 'string') throw this.fault(read);
    return read;
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private async turn(): Promise<void> {
    for (;;) {
      const nowMs = this.clock.nowMs();
      const waitMs = Math.max(this.pausedUntilMs - nowMs, this.pace.waitMs(nowMs));
      if (waitMs <= 0 || this.signal.aborted) break;
      await this.clock.sleep(waitMs, this.signal);
    }
    this.pace.take(this.clock.nowMs());
  }

  private pause(retryAfter: string | null): void {
    const seconds = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
    const pauseMs = seconds === null ? PAUSE_MS : Math.min(seconds * 1_000, PAUSE_MS_MAX);
    this.pausedUntilMs = this.clock.nowMs() + pauseMs;
  }

  private fault(what: string): ChainError {
    return new ChainError(`Bundle explorer ${this.client.label} answered with ${what}.`);
  }
}
