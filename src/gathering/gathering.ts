import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../lib/clock.ts';
import type { Gateways } from '../lib/safe-fetch/gateways.ts';
import type { SafeFetch } from '../lib/safe-fetch/safe-fetch.ts';
import type { TrackedToken } from '../model/social-post.ts';
import type { HashOutcome } from '../offchain/images/picture-hasher.ts';
import type { JobKind } from '../offchain/jobs/job-rules.ts';
import { jobUrl } from '../offchain/jobs/job-url.ts';
import { type JobLimits, JobQueue, type TakenJob } from '../store/offchain/job-queue.ts';
import { inOffchainTransaction } from '../store/offchain/offchain-plane.ts';
import { ReachedSlot } from '../store/offchain/reached-slot.ts';
import { ThumbnailTable } from '../store/offchain/thumbnail-table.ts';
import { TokenFacts } from '../store/offchain/token-facts.ts';
import { JobRunner } from './job-runner.ts';
import type {
  FoldPoint,
  GatheringCounts,
  TokenBatch,
  TokenUpdate,
  TrackingUpdate,
} from './messages.ts';
import { TokenWork } from './token-work.ts';

export interface GatheringParts {
  readonly database: DatabaseSync;
  readonly fetch: SafeFetch;
  readonly hash: (bytes: Uint8Array) => Promise<HashOutcome>;
  readonly gateways: Gateways;
  readonly clock: Clock;
  /** Wall-clock time. */
  readonly nowMs: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly requestsPerSecond: number;
  readonly limits?: Partial<JobLimits>;
  /** Called with all tracked tokens at the start, and with each token that changed since. */
  readonly onTracked: (tokens: readonly TrackedToken[]) => void;
  readonly onDead: (kind: JobKind, job: TakenJob, fault: string) => void;
  readonly onFailure: (error: unknown) => void;
}

const TRACKED_PER_CALL = 1_000;

/**
 * Gathers facts of documents, pictures and links of tokens. All input and results are stored before
 * processing continues, so the process may be ended at any moment.
 */
export class Gathering {
  private readonly parts: GatheringParts;
  private readonly facts: TokenFacts;
  private readonly queue: JobQueue;
  private readonly runner: JobRunner;
  private readonly reachedSlot: ReachedSlot;

  constructor(parts: GatheringParts) {
    this.parts = parts;
    this.facts = new TokenFacts(parts.database);
    this.queue = new JobQueue(parts.database, parts.nowMs(), parts.limits);
    this.reachedSlot = new ReachedSlot(parts.database);
    const { facts, queue } = this;
    const thumbnails = new ThumbnailTable(parts.database);
    const work = new TokenWork({ ...parts, facts, thumbnails, queue, onLinks: parts.onTracked });
    this.runner = new JobRunner({ ...parts, queue, work });
    this.publishAllTracked();
  }

  /** Position up to which chain updates have been stored. */
  get reached(): FoldPoint | null {
    return this.reachedSlot.read();
  }

  /** Tokens whose posts are collected. */
  get tracked(): readonly TrackingUpdate[] {
    return [...this.facts.allTracked()].map(({ officialLinks: _, ...update }) => update);
  }

  /** Stores a batch in one transaction. */
  take({ tokens, tracked, reached }: Omit<TokenBatch, 'kind' | 'number'>): void {
    const nowMs = this.parts.nowMs();
    const changed = inOffchainTransaction(this.parts.database, () => {
      for (const token of tokens) this.takeToken(token, nowMs);
      const updates = tracked.filter((token) => this.facts.noteTracked(token));
      if (reached !== null) this.reachedSlot.write(reached);
      return updates.flatMap(({ mint }) => this.facts.tracked(mint) ?? []);
    });
    if (changed.length > 0) this.parts.onTracked(changed);
    this.pump();
  }

  /** Starts due jobs. Called periodically. */
  pump(): void {
    this.runner.pump();
  }

  /** Number of running attempts. */
  get running(): number {
    return this.runner.size;
  }

  get counts(): GatheringCounts {
    const jobs = [...this.queue.counts()].map(
      ([kind, state, count]) => [{ kind, state }, count] as const,
    );
    const tries = [...this.runner.outcomes()].map(
      ([kind, outcome, count]) => [{ kind, outcome }, count] as const,
    );
    return {
      counters: [
        { name: 'offchain_fetches_total', samples: tries },
        { name: 'offchain_jobs_dropped_total', samples: [[{}, this.queue.dropped]] },
      ],
      gauges: [{ name: 'offchain_jobs', samples: jobs }],
    };
  }

  /** Starts no further jobs and releases running ones. The caller closes the database. */
  close(): void {
    this.runner.close();
  }

  private takeToken(token: TokenUpdate, nowMs: number): void {
    const { uri } = token;
    const location = uri === null ? null : jobUrl(uri, this.parts.gateways);
    const isWanted = this.facts.noteToken(token, location?.key ?? null, nowMs);
    if (!isWanted || uri === null || location === null) return;
    const rank = token.createdSlot ?? 0;
    this.queue.want({ kind: 'metadata', key: location.key, url: uri, rank }, nowMs);
  }

  private publishAllTracked(): void {
    const tokens = [...this.facts.allTracked()];
    for (let from = 0; from < tokens.length; from += TRACKED_PER_CALL) {
      this.parts.onTracked(tokens.slice(from, from + TRACKED_PER_CALL));
    }
  }
}
