import type { AskedAuthors } from '../model/rule-hit-page.ts';
import type { Outcome, Signal } from '../model/signal.ts';
import {
  type FiguresPage,
  type FiguresQuery,
  type FoundSignal,
  isShown,
  type OutcomeFigures,
  type OutcomeListing,
  type RuleSignalListing,
  ruleOfSignal,
  type SignalFigures,
  type SignalListing,
  type SignalPageQuery,
  type SignalsWithRules,
  toListing,
  toOutcomeListing,
  toRuleListing,
} from '../model/signal-listing.ts';
import type { StoredSignals } from '../store/reads/signals.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

type Stored = Pick<StoredSignals, 'page' | 'pageOfRules' | 'signal' | 'outcome' | 'figures'>;

/**
 * Signals up to the newest slot: stored ones merged with unwritten changes. Changes of reverted
 * slots are in neither. Random minutes are excluded, except for statistics, which use them for
 * comparison.
 */
export class CurrentSignals {
  private readonly stored: Stored;
  private readonly unwritten: UnwrittenRows;

  constructor(stored: Stored, unwritten: UnwrittenRows) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  /** Newest first. */
  async list(query: SignalPageQuery): Promise<readonly SignalListing[]> {
    const newest = this.newest();
    const recent = newest.signals.filter(
      (signal) => isInRange(signal, query) && (query.model ?? signal.model) === signal.model,
    );
    const stored = await this.stored.page(query);
    const listed = recent.flatMap((signal) => {
      const outcome = newest.outcomes.get(signal.rowId);
      return outcome !== undefined && isShown(signal) ? toListing(signal, outcome) : [];
    });
    return merged(stored, listed, newest.outcomes).slice(0, query.limit);
  }

  /** Signals with those of the rules of authors, newest first; a model has none of rules. */
  async listWithRules(
    query: SignalPageQuery,
    { isBuiltIn, ofRules }: AskedAuthors,
  ): Promise<SignalsWithRules> {
    const signals = isBuiltIn ? await this.list(query) : [];
    const ruleSignals = query.model === null ? await this.listOfRules(query, ofRules) : [];
    const rowIds = [...signals, ...ruleSignals].map(({ rowId }) => rowId);
    // The first that does not fit.
    const last = rowIds.sort((one, other) => other - one)[query.limit] ?? 0;
    return {
      signals: signals.filter(({ rowId }) => rowId > last),
      ruleSignals: ruleSignals.filter(({ rowId }) => rowId > last),
    };
  }

  private async listOfRules(
    query: SignalPageQuery,
    authors: readonly string[],
  ): Promise<readonly RuleSignalListing[]> {
    const newest = this.newest();
    const stored = await this.stored.pageOfRules(query, authors);
    const listed = newest.signals.flatMap((signal) => {
      const outcome = newest.outcomes.get(signal.rowId);
      if (outcome === undefined || !isInRange(signal, query)) return [];
      const listing = toRuleListing(signal, outcome);
      return listing !== null && authors.includes(listing.rule.author) ? listing : [];
    });
    return merged(stored, listed, newest.outcomes).slice(0, query.limit);
  }

  /** What is not stored yet, before the store is read. */
  private newest() {
    return { outcomes: this.unwritten.outcomes(), signals: this.unwritten.signals() };
  }

  /** Null for an unknown number, a random minute, and a signal of a rule of none of the authors. */
  async find(rowId: number, authors: readonly string[]): Promise<FoundSignal | null> {
    const recent = this.unwritten.signals().find((signal) => signal.rowId === rowId);
    const newest = this.unwritten.outcomes().get(rowId);
    const signal = recent ?? (await this.stored.signal(rowId));
    if (signal === null) return null;
    const rule = ruleOfSignal(signal);
    if (rule !== null && !authors.includes(rule.author)) return null;
    const outcome = newest ?? (await this.stored.outcome(rowId));
    if (outcome === null) return null;
    if (rule !== null) return { rule, signal, outcome };
    return isShown(signal) ? { signal, outcome } : null;
  }

  /** Figures for statistics, including random minutes. */
  async figures(known: FiguresQuery): Promise<FiguresPage> {
    const signals = this.unwritten.signals().map(toFigures);
    const outcomes = [...this.unwritten.outcomes().values()].map(toOutcomeFigures);
    return { ...(await this.stored.figures(known)), unwritten: { signals, outcomes } };
  }
}

/** Listings by number, the newest first. */
function merged<Listing extends OutcomeListing & Pick<Signal, 'rowId'>>(
  stored: readonly Listing[],
  recent: readonly Listing[],
  outcomes: ReadonlyMap<number, Outcome>,
): Listing[] {
  const listings = new Map<number, Listing>();
  for (const listing of stored) {
    const outcome = outcomes.get(listing.rowId);
    // Rows written since `outcomes` was read may be newer.
    const isNewer = outcome !== undefined && outcome.slot >= listing.slot;
    const current = isNewer ? { ...listing, ...toOutcomeListing(outcome) } : listing;
    listings.set(listing.rowId, current);
  }
  for (const listing of recent) {
    if (!listings.has(listing.rowId)) listings.set(listing.rowId, listing);
  }
  return [...listings.values()].sort((one, other) => other.rowId - one.rowId);
}

function isInRange(
  { rowId, createdAtMs }: Signal,
  { fromMs, toMs, beforeRowId }: SignalPageQuery,
): boolean {
  if (createdAtMs < fromMs || createdAtMs > toMs) return false;
  return rowId < (beforeRowId ?? Number.POSITIVE_INFINITY);
}

function toFigures(signal: Signal): SignalFigures {
  const { rowId, model, createdAtMs, ageMs, marketCapUsd, liquidityUsd } = signal;
  return { rowId, model, createdAtMs, ageMs, marketCapUsd, liquidityUsd };
}

function toOutcomeFigures(outcome: Outcome): OutcomeFigures {
  const { rowId, athMarketCapUsd, roiE9, maxDrawdownE9, execution } = outcome;
  return { rowId, athMarketCapUsd, roiE9, maxDrawdownE9, returns: execution.returns };
}
