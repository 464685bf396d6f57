import type { Clock } from '../../../lib/clock.ts';
import { parseShallow } from '../../../lib/json-nesting.ts';
import type { NodeStatus } from '../../source-status.ts';
import type { Endpoint } from './endpoint.ts';
import type { HealthOptions } from './node-health.ts';
import { NodeHealth } from './node-health.ts';
import { type PostLimits, type PostTarget, postJson } from './post-json.ts';
import { codeFailure, garbageFailure, type RpcFailure } from './rpc-failure.ts';
import { TokenBucket } from './token-bucket.ts';

export interface RpcNodeOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly requestsPerSecond: number;
  readonly limits: PostLimits;
  readonly health: HealthOptions;
}

export type RpcBody =
  | { readonly status: 'ok'; readonly body: Buffer }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

export type RpcResult<Result> =
  | { readonly status: 'ok'; readonly result: Result }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

interface Failable {
  readonly status: string;
  readonly failure?: RpcFailure;
}

/** How long a node is used last after one of its blocks was refuted. */
const DISTRUST_MS = 10 * 60_000;

/** One RPC node: its rate limit, its requests and its health. */
export class RpcNode {
  readonly endpoint: Endpoint;
  /** Newest confirmed slot it reported. */
  tipSlot: number | null = null;
  /** Newest slot that it reported as pruned; negative for none. */
  prunedUpTo = -1;
  /** Far behind others, or behind its own earlier report. */
  isBehind = false;
  /** The node is on another chain and is not used. */
  isOfOtherCluster = false;
  /** The encoding in which it returns blocks. */
  encoding: 'base64' | 'json' = 'base64';
  private readonly options: RpcNodeOptions;
  private readonly bucket: TokenBucket;
  private readonly health: NodeHealth;
  private readonly failureCounts: Record<string, number> = {};
  private lastFailureNow: RpcFailure | null = null;
  private refutedCount = 0;
  /** Since it became distrusted, it repeated a wrong block when asked again. */
  private hasInsisted = false;
  private distrustedUntilMs = Number.NEGATIVE_INFINITY;
  private requestCount = 0;
  private inFlightCount = 0;

  constructor(endpoint: Endpoint, options: RpcNodeOptions) {
    this.endpoint = endpoint;
    this.options = options;
    this.bucket = new TokenBucket(options.requestsPerSecond);
    this.health = new NodeHealth(options.health, options.random);
  }

  get label(): string {
    return this.endpoint.label;
  }

  get inFlight(): number {
    return this.inFlightCount;
  }

  get failures(): number {
    return this.health.failures;
  }

  /** Why its last answer had no result; null if it had one. */
  get lastFailure(): RpcFailure | null {
    return this.lastFailureNow;
  }

  get isCoolingDown(): boolean {
    return this.health.isCircuitOpen;
  }

  get status(): NodeStatus {
    const { label, tipSlot, state, requestCount: requests, inFlightCount: openRequests } = this;
    const failures = { ...this.failureCounts };
    const { refutedCount: refutedBlocks } = this;
    return { label, state, tipSlot, requests, openRequests, failures, refutedBlocks };
  }

  /** One of its blocks was recently shown to be wrong. */
  get isDistrusted(): boolean {
    return this.options.clock.nowMs() < this.distrustedUntilMs;
  }

  /** Whether its statements count against those of others. */
  get isWitness(): boolean {
    return !(this.isDistrusted && this.hasInsisted);
  }

  /**
   * Records that its version of a block was wrong. `isRepeated`: it returned the same version
   * again, so it was not damaged in transit. Returns whether the node was trusted until now.
   */
  refute(isRepeated: boolean): boolean {
    const isNew = !this.isDistrusted;
    this.hasInsisted = isRepeated || (this.hasInsisted && !isNew);
    this.refutedCount++;
    this.distrustedUntilMs = this.options.clock.nowMs() + DISTRUST_MS;
    return isNew;
  }

  /** Milliseconds until it may be used, 0 for now; infinite while a probe is in flight. */
  waitMs(nowMs: number): number {
    if (!this.health.hasCapacity(this.inFlightCount)) return Number.POSITIVE_INFINITY;
    return Math.max(this.health.waitMs(nowMs), this.bucket.waitMs(nowMs));
  }

  /**
   * Sends a request; call it only when `waitMs` is 0. The body is not inspected; report its quality
   * through `judge`.
   */
  post(method: string, params: readonly unknown[], signal: AbortSignal): Promise<RpcBody> {
    return this.send<RpcBody>(method, params, (target, text, limits) =>
      postJson(target, text, limits, signal),
    );
  }

  /** As `post`, but sent by `deliver`. */
  async send<Answer extends Failable>(
    method: string,
    params: readonly unknown[],
    deliver: (target: PostTarget, text: string, limits: PostLimits) => Promise<Answer>,
  ): Promise<Answer> {
    const { clock, limits } = this.options;
    this.bucket.take(clock.nowMs());
    this.requestCount++;
    this.inFlightCount++;
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    try {
      const { url, headers } = this.endpoint;
      const answer = await deliver({ url, headers }, text, limits);
      if (answer.status === 'failed' && answer.failure !== undefined) this.judge(answer.failure);
      return answer;
    } finally {
      this.inFlightCount--;
    }
  }

  /** Requests a small result; `read` returns null for another type. */
  async call<Result>(
    method: string,
    params: readonly unknown[],
    read: (result: unknown) => Result | null,
    signal: AbortSignal,
  ): Promise<RpcResult<Result>> {
    const answer = await this.post(method, params, signal);
    if (answer.status === 'failed') return answer;
    const judged = checked(this.readResult(answer.body), read);
    this.judge(judged.status === 'failed' ? judged.failure : null);
    return judged;
  }

  /** The result of an answer, or its error classified by the code table. */
  readResult(body: Buffer): RpcResult<unknown> {
    const answer = parseJson(body);
    if (typeof answer !== 'object' || answer === null) {
      return failed(garbageFailure('the answer is not a JSON object', 'not-json'));
    }
    if ('error' in answer && answer.error !== null && answer.error !== undefined) {
      return failed(this.errorOf(answer.error));
    }
    if ('result' in answer && answer.result !== undefined) {
      return { status: 'ok', result: answer.result };
    }
    return failed(garbageFailure('the answer has neither result nor error', 'unreadable'));
  }

  /** Records the quality of an answer; null stands for a result. */
  judge(failure: RpcFailure | null): void {
    if (failure === null) {
      this.lastFailureNow = null;
      this.health.succeed();
      return;
    }
    if (failure.name === 'stopped') return;
    this.lastFailureNow = failure;
    this.failureCounts[failure.name] = (this.failureCounts[failure.name] ?? 0) + 1;
    this.health.fail(failure.harm, failure.retryAfterMs, this.options.clock.nowMs());
    // The node answered correctly, only without the expected result.
    if (failure.harm === 'none' && failure.problem === null) this.health.succeed();
  }

  private get state(): NodeStatus['state'] {
    if (this.isOfOtherCluster) return 'other-cluster';
    if (this.isCoolingDown) return 'left-alone';
    if (this.isDistrusted) return 'refuted';
    if (this.isBehind) return 'behind';
    return this.health.failures > 0 ? 'failing' : 'well';
  }

  private errorOf(error: unknown): RpcFailure {
    const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
      code?: unknown;
      message?: unknown;
    };
    if (typeof code !== 'number' || !Number.isSafeInteger(code)) {
      return garbageFailure('the answer is an error without a code', 'unreadable');
    }
    const words = typeof message === 'string' ? message : '';
    return codeFailure(code, this.endpoint.redact(words).slice(0, 200));
  }
}

function failed(failure: RpcFailure) {
  return { status: 'failed', failure } as const;
}

function checked<Result>(
  answer: RpcResult<unknown>,
  read: (result: unknown) => Result | null,
): RpcResult<Result> {
  if (answer.status === 'failed') return answer;
  const result = read(answer.result);
  if (result !== null) return { status: 'ok', result };
  return failed(garbageFailure('the result is not of the expected type', 'unreadable'));
}

/** Returns undefined for a body that is not JSON. */
function parseJson(body: Buffer): unknown {
  try {
    return parseShallow(body.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
