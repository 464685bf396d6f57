import type { BacktestOptions, BacktestReport, LookAheadReport } from '../model/backtest.ts';
import type { JudgedTape } from './recording/judge-tape.ts';
import type { MinuteTape } from './recording/minute-tape.ts';
import { deflatedSharpe, momentsOf } from './tries/deflated-sharpe.ts';
import { walkForward } from './walk-forward.ts';
import { tradeHit } from './worth/traded-hits.ts';
import { JUDGED_DELAY, judgedReturns, worthOfHits } from './worth/worth-of-hits.ts';

/** Fewer returns say too little for a ratio. */
const RETURNS_MIN = 20;

export interface ReportParts {
  /** Ids of the rules, the judged one first. */
  readonly rules: readonly string[];
  readonly options: BacktestOptions;
  readonly tape: Pick<MinuteTape, 'firstSlot' | 'lastSlot'>;
  readonly judged: JudgedTape;
  /** Number of tries of the account under the name of the rule, this one included. */
  readonly tries: number;
  readonly lookAhead: LookAheadReport | null;
}

/** What a rule would have been worth. The same tape and options give the same report. */
export function reportOf(parts: ReportParts): BacktestReport {
  const { rules, options, tape, judged, tries, lookAhead } = parts;
  const { firstSlot, lastSlot } = tape;
  const { hits: byRule, controls, minutes } = judged;
  const hits = byRule[0] ?? [];
  return {
    ...{ rules, options, firstSlot, lastSlot, minutes },
    hits: hits.length,
    hitMints: new Set(hits.map(({ hit }) => hit.mint)).size,
    controls: controls.length,
    delays: worthOfHits({ hits, controls }, options, tries),
    tries: { count: tries, deflatedSharpe: deflatedOf(parts) },
    walkForward: walkForward(byRule, controls, options, tries),
    lookAhead,
  };
}

/**
 * Of the judged exit rule, ticket and delay. The variance of the ratios of other tries is not
 * recorded: that of the ratio of as many returns without skill takes its place, one by their number.
 */
function deflatedOf({ judged, options, tries }: ReportParts): number | null {
  const traded = (judged.hits[0] ?? []).map((hit) => tradeHit(hit, JUDGED_DELAY, options));
  const returns = judgedReturns(traded);
  const moments = returns.length < RETURNS_MIN ? null : momentsOf(returns);
  return moments === null ? null : deflatedSharpe(moments, tries, 1 / moments.count);
}
