import { CurrentBundleGroups } from '../ingestion/current-bundle-groups.ts';
import { CurrentBundles } from '../ingestion/current-bundles.ts';
import { CurrentCandles } from '../ingestion/current-candles.ts';
import { CurrentIndicators } from '../ingestion/current-indicators.ts';
import { CurrentRuleHits } from '../ingestion/current-rule-hits.ts';
import { CurrentSignals } from '../ingestion/current-signals.ts';
import { CurrentTrades } from '../ingestion/current-trades.ts';
import type { PointReads } from '../ingestion/point-reads.ts';
import { CurrentTradeLabels } from '../ingestion/trade-labels.ts';
import type { UnwrittenRows } from '../ingestion/unwritten-rows.ts';
import type { ListedDetector } from '../model/detector-listing.ts';
import { OPERATOR, ruleKey } from '../model/rule-change.ts';
import type { Service } from '../service/app.ts';
import type { ServiceAnswers } from './service-reads.ts';

/** Reads of stored rows merged with unwritten ones. */
export function storedReads(
  store: Service['store'],
  points: PointReads,
): Pick<ServiceAnswers, 'candles' | 'indicators' | 'bundles' | 'signals'> {
  const indicators = (unwritten: UnwrittenRows) =>
    new CurrentIndicators(store.indicators, unwritten);
  const signals = (unwritten: UnwrittenRows) => new CurrentSignals(store.signals, unwritten);
  return {
    candles: {
      read: (query) => points.read((rows) => new CurrentCandles(store.candles, rows).rows(query)),
    },
    indicators: {
      history: (query) => points.read((rows) => indicators(rows).history(query)),
    },
    bundles: {
      page: (query) => points.read((rows) => new CurrentBundles(store.bundles, rows).page(query)),
      groups: (query) =>
        points.read((rows) => new CurrentBundleGroups(store.bundleGroups, rows).page(query)),
    },
    signals: {
      list: (query) => points.read((rows) => signals(rows).list(query)),
      listWithRules: (query, authors) =>
        points.read((rows) => signals(rows).listWithRules(query, authors)),
      find: (rowId, authors) => points.read((rows) => signals(rows).find(rowId, authors)),
      figures: (known) => points.read((rows) => signals(rows).figures(known)),
    },
  };
}

export function tradeReads(
  { store, ingestion }: Pick<Service, 'store' | 'ingestion'>,
  points: PointReads,
): ServiceAnswers['trades'] {
  const reviewOf = (id: string) => store.reviews.statusOf(id);
  return {
    page: (query) =>
      points.read((unwritten) =>
        new CurrentTrades({
          stored: store.trades,
          unwritten,
          labels: new CurrentTradeLabels(store.tradeLabels, unwritten, reviewOf),
          finalSlot: ingestion.status.finalSlot ?? -1,
        }).page(query),
      ),
  };
}

export function ruleAnswers(
  { store, rules }: Pick<Service, 'store' | 'rules'>,
  points: PointReads,
): ServiceAnswers['rules'] {
  return {
    list: async (accountId) => {
      const listed = await rules.list(accountId);
      return points.read((rows) => new CurrentRuleHits(store.ruleHits, rows).counted(listed));
    },
    publish: (request) => rules.publish(request),
    withdraw: (request) => rules.withdraw(request),
    hitPage: (range) =>
      points.read((rows) => new CurrentRuleHits(store.ruleHits, rows).page(range)),
    hits: (query) => points.read((rows) => new CurrentRuleHits(store.ruleHits, rows).list(query)),
  };
}

export function detectorAnswers(
  { store, detectors }: Pick<Service, 'store' | 'detectors'>,
  points: PointReads,
): ServiceAnswers['detectors'] {
  return {
    list: () =>
      points.read(async (rows) => {
        const listed = detectors.list();
        const hitting = listed.filter(hasHits);
        const counts = await new CurrentRuleHits(store.ruleHits, rows).counts(hitting.map(hitKey));
        return listed.map((one) => ({
          ...one,
          hitCount: hasHits(one) ? (counts.get(hitKey(one)) ?? 0) : null,
        }));
      }),
  };
}

/** Built-in detectors have findings, and tried ones nothing. */
function hasHits({ fraudType, trial }: ListedDetector): boolean {
  return fraudType === null && trial === null;
}

function hitKey({ name }: ListedDetector): string {
  return ruleKey({ author: OPERATOR, name });
}
