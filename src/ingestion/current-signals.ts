import type { Outcome, Signal } from '../model/signal.ts';
import {
  type FiguresPage,
  type FiguresQuery,
  isShown,
  type OutcomeFigures,
  type SignalDetail,
  type SignalFigures,
  type SignalListing,
  type SignalPageQuery,
  toListing,
  toOutcomeListing,
} from '../model/signal-listing.ts';
import type { StoredSignals } from '../store/reads/signals.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

type Stored = Pick<StoredSignals, 'page' | 'signal' | 'outcome' | 'figures'>;

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
    const outcomes = this.unwritten.outcomes();
    const recent = this.unwritten.signals().filter((signal) => isAsked(signal, query));
    const listings = new Map<number, SignalListing>();
    for (const listing of await this.stored.page(query)) {
      const outcome = outcomes.get(listing.rowId);
      // Rows written since `outcomes` was read may be newer.
      const isNewer = outcome !== undefined && outcome.slot >= listing.slot;
      const current = isNewer ? { ...listing, ...toOutcomeListing(outcome) } : listing;
      listings.set(listing.rowId, current);
    }
    for (const signal of recent) {
      const outcome = outcomes.get(signal.rowId);
      if (outcome === undefined || listings.has(signal.rowId) || !isShown(signal)) continue;
      listings.set(signal.rowId, toListing(signal, outcome));
    }
    return [...listings.values()]
      .sort((one, other) => other.rowId - one.rowId)
      .slice(0, query.limit);
  }

  /** Null for an unknown number and for a random minute. */
  async find(rowId: number): Promise<SignalDetail | null> {
    const recent = this.unwritten.signals().find((signal) => signal.rowId === rowId);
    const newest = this.unwritten.outcomes().get(rowId);
    const signal = recent ?? (await this.stored.signal(rowId));
    if (signal === null || !isShown(signal)) return null;
    const outcome = newest ?? (await this.stored.outcome(rowId));
    return outcome === null ? null : { signal, outcome };
  }

  /** Figures for statistics, including random minutes. */
  async figures(known: FiguresQuery): Promise<FiguresPage> {
    const signals = this.unwritten.signals().map(toFigures);
    const outcomes = [...this.unwritten.outcomes().values()].map(toOutcomeFigures);
    return { ...(await this.stored.figures(known)), unwritten: { signals, outcomes } };
  }
}

function isAsked(
  { rowId, model, createdAtMs }: Signal,
  { fromMs, toMs, beforeRowId, model: asked }: SignalPageQuery,
): boolean {
  if (createdAtMs < fromMs || createdAtMs > toMs) return false;
  return rowId < (beforeRowId ?? Number.POSITIVE_INFINITY) && (asked === null || asked === model);
}

function toFigures(signal: Signal): SignalFigures {
  const { rowId, model, createdAtMs, ageMs, marketCapUsd, liquidityUsd } = signal;
  return { rowId, model, createdAtMs, ageMs, marketCapUsd, liquidityUsd };
}

function toOutcomeFigures(outcome: Outcome): OutcomeFigures {
  const { rowId, athMarketCapUsd, roiE9, maxDrawdownE9, execution } = outcome;
  return { rowId, athMarketCapUsd, roiE9, maxDrawdownE9, returns: execution.returns };
}
