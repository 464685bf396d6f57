import { CONTROL_MODEL, isBuiltIn, type Outcome, type Signal } from '../../model/signal.ts';
import {
  type FiguresPage,
  type FiguresQuery,
  type OutcomeListing,
  type RuleSignalListing,
  type SignalListing,
  type SignalPageQuery,
  toRuleListing,
} from '../../model/signal-listing.ts';
import { numeric, text } from '../sql/columns.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { rowVersion } from '../sql/row-version.ts';
import { modelsOfAuthors } from '../sql/signal-authors.ts';
import { columnsOfRecord, type Table } from '../sql/table.ts';
import { IS_VISIBLE, type RowLayers, type VisibleRows } from '../sql/visible-epoch.ts';
import {
  outcomeListing,
  signalListing,
  signalOutcomeTable,
  signalTable,
} from '../tables/signal-tables.ts';
import {
  FIGURES_OF_OUTCOMES,
  FIGURES_OF_SIGNALS,
  OUTCOMES_IN_RANGE,
  pageOfRuleSignals,
  pageOfSignals,
} from './signal-sql.ts';

const toSignalListing = signalListing.reader();
const toOutcomeListing = outcomeListing.reader();
const toFigures = columnsOfRecord({
  figures: text('figures'),
  last: numeric('last'),
  count: numeric('count'),
}).reader();

/** Maximum figures in one answer: one or two megabytes. */
const FIGURES_MAX = 10_000;

/** Signals and their outcomes as last written. */
export class StoredSignals {
  private readonly reads: EpochReads<VisibleRows>;

  constructor(lane: Lane, visible: VisibleRows) {
    this.reads = new EpochReads(lane, visible);
  }

  /** Newest first, without control signals (random minutes). */
  async page(query: SignalPageQuery): Promise<SignalListing[]> {
    const { fromMs, toMs, model, limit, beforeRowId } = query;
    const { layers } = this.reads;
    const signals = await this.reads.all(
      pageOfSignals(model !== null),
      toSignalListing,
      {
        from: fromMs,
        to: toMs,
        limit,
        before: beforeRowId ?? Number.MAX_SAFE_INTEGER,
        model: model ?? CONTROL_MODEL,
      },
      layers,
    );
    const outcomeOf = await this.outcomesOf(signals, layers);
    return signals.flatMap(({ model: origin, ...signal }) => {
      const outcome = outcomeOf.get(signal.rowId);
      if (outcome === undefined || !isBuiltIn(origin)) return [];
      return [{ ...signal, model: origin, ...outcome }];
    });
  }

  /** Newest first: signals of the rules of these authors, whatever `model` says. */
  async pageOfRules(
    { fromMs, toMs, limit, beforeRowId }: SignalPageQuery,
    authors: readonly string[],
  ): Promise<RuleSignalListing[]> {
    const { layers } = this.reads;
    const params = {
      ...modelsOfAuthors(authors),
      ...{ from: fromMs, to: toMs, limit, before: beforeRowId ?? Number.MAX_SAFE_INTEGER },
    };
    const sql = pageOfRuleSignals(authors.length);
    const signals = await this.reads.all(sql, signalTable.read, params, layers);
    const outcomeOf = await this.outcomesOf(signals, layers);
    return signals.flatMap((signal) => {
      const outcome = outcomeOf.get(signal.rowId);
      return (outcome && toRuleListing(signal, outcome)) ?? [];
    });
  }

  /** The outcomes of a page, by number. */
  private async outcomesOf(
    signals: readonly Pick<Signal, 'rowId'>[],
    layers: RowLayers,
  ): Promise<ReadonlyMap<number, OutcomeListing & Pick<Outcome, 'rowId'>>> {
    const [newest, oldest] = [signals[0], signals.at(-1)];
    if (newest === undefined || oldest === undefined) return new Map();
    const params = { from: oldest.rowId, to: newest.rowId };
    const outcomes = await this.reads.all(OUTCOMES_IN_RANGE, toOutcomeListing, params, layers);
    return new Map(outcomes.map((outcome) => [outcome.rowId, outcome]));
  }

  /** Includes control signals (random minutes); null for an unknown id. */
  signal(rowId: number): Promise<Signal | null> {
    return this.columnsOfRecord(signalTable, rowId);
  }

  outcome(rowId: number): Promise<Outcome | null> {
    return this.columnsOfRecord(signalOutcomeTable, rowId);
  }

  /**
   * Stored figures that the caller does not know yet; all figures if its epoch differs. Queries the
   * store only when more is visible than the caller knows; rows beyond that are not written yet.
   */
  async figures(known: FiguresQuery): Promise<Omit<FiguresPage, 'unwritten'>> {
    const { epoch, slot: storedSlot } = this.reads.visible;
    const { layers } = this.reads;
    const isSame = known.epoch === epoch;
    if (isSame && storedSlot !== null && known.afterSlot === storedSlot) {
      return { epoch, storedSlot, signals: '[]', outcomes: '[]', nextRowId: null };
    }
    const params = {
      from: isSame && known.afterSlot !== null ? rowVersion(epoch, known.afterSlot + 1) : 0,
      row: isSame ? known.afterRowId : 0,
      limit: FIGURES_MAX,
    };
    const outcomes = await this.reads.first(FIGURES_OF_OUTCOMES, toFigures, params, layers);
    const isLast = (outcomes?.count ?? 0) < FIGURES_MAX;
    const last = isLast ? Number.MAX_SAFE_INTEGER : (outcomes?.last ?? 0);
    const upTo = { ...params, last };
    const signals = await this.reads.first(FIGURES_OF_SIGNALS, toFigures, upTo, layers);
    return {
      epoch,
      storedSlot,
      signals: signals?.figures ?? '[]',
      outcomes: outcomes?.figures ?? '[]',
      nextRowId: isLast ? null : last,
    };
  }

  private columnsOfRecord<Stored>(
    { name, read }: Table<Stored, Stored>,
    rowId: number,
  ): Promise<Stored | null> {
    return this.reads.first(
      `SELECT record FROM ${name} FINAL WHERE ${IS_VISIBLE} AND row_id = {row:UInt64}`,
      read,
      { row: rowId },
    );
  }
}
