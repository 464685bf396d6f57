import {
  type BacktestOptions,
  type DelayedExecution,
  type DelayReport,
  ENTRY_DELAYS,
  type EntryDelay,
} from '../../model/backtest.ts';
import { EXIT_RULES, type ExitRule } from '../../model/signal.ts';
import { executionStatistics } from '../../signals/statistics/execution-statistics.ts';
import { chargedInterval } from '../tries/charged-interval.ts';
import { capacityUsd } from './capacity.ts';
import type { RoundTrip } from './hypothetical-trade.ts';
import { costsOf, type HitWithPath, type TradedHit, tradeHit } from './traded-hits.ts';

/** Exit rule, ticket and delay by which variants are chosen and the deflated ratio is computed. */
export const JUDGED_RULE: ExitRule = 'take_profit_or_stop';
export const JUDGED_TICKET = 200;
export const JUDGED_DELAY: EntryDelay = '10_s';

/** Hits and the minutes that they are compared with. */
export interface ComparedHits {
  readonly hits: readonly HitWithPath[];
  readonly controls: readonly HitWithPath[];
}

/** The worth of hits with each delay. Controls are traded by the same rules, with the same costs. */
export function worthOfHits(
  { hits, controls }: ComparedHits,
  options: BacktestOptions,
  tries: number,
): readonly DelayReport[] {
  return ENTRY_DELAYS.map((delay) => {
    const own = hits.map((hit) => tradeHit(hit, delay, options));
    const base = controls.map((hit) => tradeHit(hit, delay, options));
    const countOf = (state: TradedHit['state']) => own.filter((one) => one.state === state).length;
    return {
      delay,
      failed: countOf('failed'),
      open: countOf('open'),
      unpriced: countOf('unpriced'),
      execution: executionOfTrades(own, base, tries),
      capacityUsd: capacities(own, options),
    };
  });
}

/** Returns by ticket and exit rule, compared with those of the controls. */
export function executionOfTrades(
  own: readonly TradedHit[],
  base: readonly TradedHit[],
  tries: number,
): readonly DelayedExecution[] {
  const rowsOf = (traded: readonly TradedHit[]) => inOrderOfTime(traded).map(({ row }) => row);
  return executionStatistics(rowsOf(own), rowsOf(base)).map((found) => {
    const { lift } = found;
    const charged =
      lift?.interval == null ? null : chargedInterval(lift.lift, lift.interval, tries);
    return { ...found, chargedInterval: charged };
  });
}

/** Returns of the judged exit rule and ticket as shares, of hits whose exit is known. */
export function judgedReturns(traded: readonly TradedHit[]): readonly number[] {
  return traded.flatMap(({ row }) => {
    const found = row.returns[JUDGED_RULE]?.find(({ ticketUsd }) => ticketUsd === JUDGED_TICKET);
    return found === undefined ? [] : [Number(found.returnE9) / 1e11];
  });
}

/** Rows are compared by days, whose rows follow one another. */
function inOrderOfTime(traded: readonly TradedHit[]): readonly TradedHit[] {
  return traded.toSorted((one, other) => one.of.hit.timeMs - other.of.hit.timeMs);
}

function capacities(own: readonly TradedHit[], options: BacktestOptions) {
  const costs = costsOf(options);
  const tripsOf = (rule: ExitRule): RoundTrip[] => own.flatMap(({ trips }) => trips[rule] ?? []);
  return Object.fromEntries(
    EXIT_RULES.map((rule) => [rule, capacityUsd(tripsOf(rule), costs)]),
  ) as Readonly<Record<ExitRule, number | null>>;
}
