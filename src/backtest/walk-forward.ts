import type { BacktestOptions, WalkForward, WalkWeek } from '../model/backtest.ts';
import { type HitWithPath, type TradedHit, tradeHit } from './worth/traded-hits.ts';
import {
  executionOfTrades,
  JUDGED_DELAY,
  JUDGED_RULE,
  JUDGED_TICKET,
  judgedReturns,
} from './worth/worth-of-hits.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Time between the last outcome used to choose a variant and the first hit that is judged. */
export const EMBARGO_MS = DAY_MS;
/** With fewer known outcomes a variant is not judged. */
export const CHOICE_MIN = 10;
const WEEKS_MIN = 3;

/**
 * Chooses among variants week by week: for each week the one with the best mean return of hits that
 * were closed a day before it began. Null for one variant, or less than three weeks.
 */
export function walkForward(
  variants: readonly (readonly HitWithPath[])[],
  controls: readonly HitWithPath[],
  options: BacktestOptions,
  tries: number,
): WalkForward | null {
  const weeks = testedWeeks(options);
  if (variants.length < 2 || weeks.length < WEEKS_MIN - 1) return null;
  const trade = (hit: HitWithPath) => tradeHit(hit, JUDGED_DELAY, options);
  const traded = variants.map((hits) => hits.map(trade));
  const tested: TradedHit[] = [];
  const walked: WalkWeek[] = weeks.map(({ fromMs, toMs }) => {
    const chosen = chooseVariant(traded, fromMs - EMBARGO_MS);
    const hits = within(traded[chosen ?? 0] ?? [], fromMs, toMs);
    tested.push(...hits);
    return { fromMs, toMs, chosen, hits: hits.length };
  });
  const [first] = weeks;
  const base = within(controls.map(trade), first?.fromMs ?? 0, options.toMs);
  const result = executionOfTrades(tested, base, tries).find(
    ({ rule, ticketUsd }) => rule === JUDGED_RULE && ticketUsd === JUDGED_TICKET,
  );
  return result === undefined ? null : { weeks: walked, result };
}

/** All whole weeks but the first, which is only chosen on. */
export function testedWeeks({ fromMs, toMs }: Pick<BacktestOptions, 'fromMs' | 'toMs'>) {
  const weeks: { readonly fromMs: number; readonly toMs: number }[] = [];
  for (let weekMs = fromMs + WEEK_MS; weekMs + WEEK_MS <= toMs; weekMs += WEEK_MS) {
    weeks.push({ fromMs: weekMs, toMs: weekMs + WEEK_MS });
  }
  return weeks;
}

/** The variant with the best mean among those with enough outcomes that were known by then. */
export function chooseVariant(
  variants: readonly (readonly TradedHit[])[],
  knownMs: number,
): number | null {
  let best: { readonly variant: number; readonly mean: number } | null = null;
  for (const [variant, traded] of variants.entries()) {
    const returns = judgedReturns(traded.filter((hit) => outcomeMs(hit) < knownMs));
    if (returns.length < CHOICE_MIN) continue;
    const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
    if (best === null || mean > best.mean) best = { variant, mean };
  }
  return best?.variant ?? null;
}

/** When the judged outcome of a hit was known. */
function outcomeMs({ of, state, trips }: TradedHit): number {
  if (state === 'failed') return of.hit.timeMs;
  return trips[JUDGED_RULE]?.exitMs ?? Number.POSITIVE_INFINITY;
}

function within(traded: readonly TradedHit[], fromMs: number, toMs: number): readonly TradedHit[] {
  return traded.filter(({ of }) => of.hit.timeMs >= fromMs && of.hit.timeMs < toMs);
}
