import type { CursorTable } from '../control/cursor.ts';
import type { ReviewTable } from '../control/reviews.ts';
import type { DataPlane } from '../data-plane.ts';
import { StoredExports } from '../exports/stored-exports.ts';
import { StoredBundleGroups } from './bundle-groups.ts';
import { BundlePages } from './bundles.ts';
import { StoredCandles } from './candles.ts';
import { ChangedRecords } from './changed-records.ts';
import { StoredClassifications } from './classifications.ts';
import { StoredCreatedTokens } from './created-tokens.ts';
import { StoredFindings } from './findings.ts';
import { StoredFirstBuys } from './first-buys.ts';
import { StoredIndicators } from './indicators.ts';
import { MarketHistory } from './market-history.ts';
import { StoredRecords } from './records.ts';
import { StoredRuleHits } from './rule-hits.ts';
import { StoredSignals } from './signals.ts';
import { StoredTokens } from './tokens.ts';
import { StoredTradeLabels } from './trade-labels.ts';
import { StoredTrades } from './trades.ts';

/** The reads of derived rows. */
export function openReads(plane: DataPlane, cursor: CursorTable, reviews: ReviewTable) {
  return {
    candles: new StoredCandles(plane.fast, cursor),
    indicators: new StoredIndicators(plane.fast, cursor),
    bundles: new BundlePages(plane.fast, cursor),
    bundleGroups: new StoredBundleGroups(plane.fast, cursor),
    trades: new StoredTrades(plane.fast, cursor),
    tradeLabels: new StoredTradeLabels(plane.fast, cursor),
    exports: new StoredExports(plane.fast, cursor, { reviewOf: (id) => reviews.statusOf(id) }),
    tokens: new StoredTokens(plane.fast, cursor),
    records: new StoredRecords(plane.fast, cursor),
    changed: new ChangedRecords(plane.heavy, cursor),
    market: new MarketHistory(plane.heavy, cursor),
    classifications: new StoredClassifications(plane.fast, cursor),
    findings: new StoredFindings(plane.fast, cursor),
    createdTokens: new StoredCreatedTokens(plane.fast, cursor),
    firstBuys: new StoredFirstBuys(plane.fast, cursor),
    signals: new StoredSignals(plane.fast, cursor),
    ruleHits: new StoredRuleHits(plane.fast, cursor),
  };
}
