import type { Source, SourceItem } from '../chain/source.ts';
import { steadyNowMs } from '../lib/steady-time.ts';
import type { BundleOracle } from '../model/bundle-oracle.ts';
import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotGap } from '../model/slot-range.ts';
import type { AccountObserver } from './account-observer.ts';
import { type BundleAnswers, ExactBundles } from './exact-bundles.ts';

/** What ingestion needs of a source. */
export type IngestionSource = AsyncIterable<SourceItem> &
  Pick<Source, 'areBlocksFinal' | 'headSlot' | 'status'>;

export interface IngestionHooks {
  readonly onProblem?: (problem: SourceProblem) => void;
  /** Each slot that was decoded, before it is folded. */
  readonly onSlot?: (facts: SlotFacts) => void;
  /** The log is being folded: `slots` so far. */
  readonly onFold?: (slots: number) => void;
  /** A state was passed over or could not be kept, in a sentence. Nothing else follows from it. */
  readonly onSnapshotProblem?: (sentence: string) => void;
  /** Slots that nobody could give. */
  readonly onMissing?: (gap: SlotGap) => void;
  /** For sources that follow a chain: who reads accounts beside it. */
  readonly observer?: AccountObserver;
  /** Who is asked for the bundles of each slot before it is folded, which may wait a little for it. */
  readonly bundleOracle?: BundleOracle;
  /**
   * For sources that follow a chain: rows are written with the first slot that comes this long after
   * the last write, however few they are. Without it a batch is written when it is full.
   */
  readonly writeAfterMs?: number;
  /**
   * For sources that follow a chain: late slots are folded in, beside the live fold, once none has
   * come for this long. 5 s when left out.
   */
  readonly refoldAfterMs?: number;
  readonly signal?: AbortSignal;
}

/** What one run of `ingest` did. */
export interface IngestionResult {
  /** Slots that were new, those of a branch that lost later included. */
  readonly slotsAdded: number;
  readonly slotsKnown: number;
  readonly transactionsAdded: number;
  readonly problems: Readonly<Record<string, number>>;
  /** Absent when there was no oracle to ask. */
  readonly bundleAnswers?: Readonly<BundleAnswers>;
}

/** Problems after which a source has nothing more to tell. */
const ENDINGS: ReadonlySet<SourceProblem['code']> = new Set(['deep-fork', 'source-denied']);

/** One run of `ingest`: its source, and what became of it. */
export class IngestionRun {
  readonly source: IngestionSource;
  readonly hooks: IngestionHooks;
  readonly problems: Record<string, number> = {};
  readonly bundles: ExactBundles;
  private readonly tally = { slotsAdded: 0, slotsKnown: 0, transactionsAdded: 0 };
  private readonly stopping = new AbortController();
  private lastWriteMs = performance.now();
  private lastSlotMs: number | null = null;
  private lastEnding: string | null = null;

  constructor(source: IngestionSource, hooks: IngestionHooks) {
    this.source = source;
    this.hooks = hooks;
    this.bundles = new ExactBundles(hooks.bundleOracle);
  }

  get isAborted(): boolean {
    return this.hooks.signal?.aborted === true;
  }

  /** The hooks for work that goes on beside the run, and is stopped when the run ends. */
  get backgroundHooks(): IngestionHooks {
    const { hooks, stopping } = this;
    const signals = hooks.signal === undefined ? [] : [hooks.signal];
    return { ...hooks, signal: AbortSignal.any([...signals, stopping.signal]) };
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Why the source ended that was to follow the chain on and on, in a sentence; null when it was told to. */
  get stopReason(): string | null {
    return this.isAborted || this.source.areBlocksFinal ? null : this.lastEnding;
  }

  /** Since a slot last came; null before any. */
  get sinceSlotMs(): number | null {
    return this.lastSlotMs === null ? null : steadyNowMs() - this.lastSlotMs;
  }

  get isWriteDue(): boolean {
    const { writeAfterMs = Number.POSITIVE_INFINITY } = this.hooks;
    return performance.now() - this.lastWriteMs >= writeAfterMs;
  }

  get result(): IngestionResult {
    const { tally, problems, bundles, hooks } = this;
    if (hooks.bundleOracle === undefined) return { ...tally, problems };
    return { ...tally, problems, bundleAnswers: bundles.answers };
  }

  wrote(): void {
    this.lastWriteMs = performance.now();
  }

  countProblem(problem: SourceProblem): void {
    const { code } = problem;
    if (ENDINGS.has(code)) this.lastEnding = problem.message;
    this.problems[code] = (this.problems[code] ?? 0) + 1;
    this.hooks.onProblem?.(problem);
  }

  /** Null: the slot was known. */
  count(facts: SlotFacts | null): void {
    if (facts !== null) this.lastSlotMs = steadyNowMs();
    this.tally.slotsAdded += facts === null ? 0 : 1;
    this.tally.slotsKnown += facts === null ? 1 : 0;
    this.tally.transactionsAdded += facts?.transactions.length ?? 0;
  }
}
