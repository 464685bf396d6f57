import type { Source, SourceItem } from '../chain/source.ts';
import { steadyNowMs } from '../lib/steady-time.ts';
import type { BundleOracle } from '../model/bundle-oracle.ts';
import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotGap } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';
import type { AccountObserver } from './account-observer.ts';
import { type BundleAnswers, ExactBundles } from './exact-bundles.ts';
import type { FindingRefusals } from './finding-refusals.ts';
import type { RuleChanges } from './rule-changes.ts';

/** The part of a source used by ingestion. */
export type IngestionSource = AsyncIterable<SourceItem> &
  Pick<Source, 'areBlocksFinal' | 'headSlot' | 'status'>;

/** How far the log is folded. */
export interface FoldPosition {
  readonly slot: Slot;
  /** The last slot with rows when the fold began; null without one. */
  readonly lastSlot: Slot | null;
}

/** `fromSlot`: the first slot that is folded again; null for the whole log. */
export type RefoldChange =
  | { readonly kind: 'began'; readonly fromSlot: Slot | null; readonly lastSlot: Slot | null }
  | { readonly kind: 'ended'; readonly fromSlot: Slot | null; readonly isStopped: boolean };

export interface IngestionHooks {
  /**
   * A sentence about a stored state that was passed over or could not be stored. It has no other
   * effect.
   */
  readonly onStateProblem?: (sentence: string) => void;
  readonly onProblem?: (problem: SourceProblem) => void;
  /** Called with each decoded slot before it is folded. */
  readonly onSlot?: (facts: SlotFacts) => void;
  /** Called while the log is folded, with the number of slots so far. */
  readonly onFold?: (slots: number, position: FoldPosition) => void;
  /** Called when a fold of the log that replaces the state begins and ends, unless it fails. */
  readonly onRefold?: (change: RefoldChange) => void;
  /** Called for slots that no source could provide. */
  readonly onMissing?: (gap: SlotGap) => void;
  /** For followed chains: reads accounts during ingestion. */
  readonly observer?: AccountObserver;
  /** For followed chains: reviews that the fold must know. */
  readonly refusals?: FindingRefusals;
  /** The rules that the fold must judge from the newest slot on. */
  readonly rules?: RuleChanges;
  /** Queried for the bundles of each slot before it is folded, within a short time limit. */
  readonly bundleOracle?: BundleOracle;
  /**
   * For followed chains: rows are written with the first slot that arrives this long after the last
   * write, however few they are. Without it, full batches are written.
   */
  readonly writeAfterMs?: number;
  /**
   * For followed chains: late slots are refolded in the background once none has arrived for this
   * long. Default 5 s.
   */
  readonly refoldAfterMs?: number;
  readonly signal?: AbortSignal;
}

/** Result of one run of `ingest`. */
export interface IngestionResult {
  /** New slots, including those of branches that lost later. */
  readonly slotsAdded: number;
  readonly slotsKnown: number;
  readonly transactionsAdded: number;
  readonly problems: Readonly<Record<string, number>>;
  /** Absent without an oracle. */
  readonly bundleAnswers?: Readonly<BundleAnswers>;
}

/** Problems that end a source. */
const ENDINGS: ReadonlySet<SourceProblem['code']> = new Set([
  'deep-fork',
  'source-denied',
  'log-unreadable',
  'log-truncated',
  'state-differs',
]);

/** One run of `ingest`: its source and its counts. */
export class IngestionRun {
  readonly source: IngestionSource;
  readonly hooks: IngestionHooks;
  readonly problems: Record<string, number> = {};
  readonly bundles: ExactBundles;
  private readonly tally = { slotsAdded: 0, slotsKnown: 0, transactionsAdded: 0 };
  private readonly stopping = new AbortController();
  private lastWriteMs = performance.now();
  private lastSlotMs: number | null = null;
  private lastEnding: SourceProblem | null = null;

  constructor(source: IngestionSource, hooks: IngestionHooks) {
    this.source = source;
    this.hooks = hooks;
    this.bundles = new ExactBundles(hooks.bundleOracle, source.areBlocksFinal);
  }

  get isAborted(): boolean {
    return this.hooks.signal?.aborted === true;
  }

  /** Hooks for background work, which is stopped when the run ends. */
  get backgroundHooks(): IngestionHooks {
    const { hooks, stopping } = this;
    const signals = hooks.signal === undefined ? [] : [hooks.signal];
    return { ...hooks, signal: AbortSignal.any([...signals, stopping.signal]) };
  }

  close(): void {
    this.stopping.abort();
  }

  /** Why a source that follows the chain ended; null if it was stopped. */
  get stop(): SourceProblem | null {
    return this.isAborted || this.source.areBlocksFinal ? null : this.lastEnding;
  }

  /** Milliseconds since the last slot arrived; null before the first. */
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
    if (ENDINGS.has(code)) this.lastEnding = problem;
    this.problems[code] = (this.problems[code] ?? 0) + 1;
    this.hooks.onProblem?.(problem);
  }

  /** Counts a slot; null for one that was already known. */
  count(facts: SlotFacts | null): void {
    if (facts !== null) this.lastSlotMs = steadyNowMs();
    this.tally.slotsAdded += facts === null ? 0 : 1;
    this.tally.slotsKnown += facts === null ? 1 : 0;
    this.tally.transactionsAdded += facts?.transactions.length ?? 0;
  }
}
