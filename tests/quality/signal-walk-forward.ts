import { CONTROL_MODEL, SIGNAL_MODELS, type SignalModelName } from '../../src/model/signal.ts';
import type { Lift } from '../../src/model/signal-statistics.ts';
import { passedConditions } from '../../src/signals/features/signal-model.ts';
import { MODELS } from '../../src/signals/registry.ts';
import { ExactColumn } from '../../src/signals/statistics/exact-column.ts';
import { marketCellOf } from '../../src/signals/statistics/market-cell.ts';
import { type MatchedReturn, matchedLift } from '../../src/signals/statistics/matched-lift.ts';
import type { Candidate } from './signal-market.ts';
import { FACTORS, type Factor, scaledParameters } from './signal-parameters.ts';

const DAY_MS = 86_400_000;
/** Time between the last signal used to choose parameters and the first that is judged. */
export const EMBARGO_MS = DAY_MS;
export const PERIOD_MS = 4 * DAY_MS;
/** With fewer signals a set of parameters is not judged. */
const SIGNALS_MIN = 10;
const COOL_DOWN_MS = 6 * 3_600_000;
/** The criterion for parameters and models: METHODS §6.3's first exit rule, $200. */
export const JUDGED_RULE = 'take_profit_or_stop';
const JUDGED_TICKET = 200;

export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
  /** Null when no set had enough signals before: then the published one is used. */
  readonly chosen: Factor | null;
  readonly signals: number;
}

export interface ModelWalk {
  readonly model: SignalModelName;
  /** Number of parameter sets that were evaluated, over all periods. */
  readonly tries: number;
  readonly periods: readonly Period[];
  /** Over all test periods. */
  readonly count: number;
  readonly medianPercent: number;
  readonly lift: Lift | null;
  /** Test periods in which the median return was above that of random minutes. */
  readonly periodsAhead: number;
}

/** Test periods: the first third is used for training only. */
export function testPeriods(startMs: number, days: number): { fromMs: number; toMs: number }[] {
  const endMs = startMs + days * DAY_MS;
  const periods: { fromMs: number; toMs: number }[] = [];
  for (let toMs = endMs; toMs - PERIOD_MS >= startMs + (days * DAY_MS) / 3; toMs -= PERIOD_MS) {
    periods.unshift({ fromMs: toMs - PERIOD_MS, toMs });
  }
  return periods;
}

/** Parameters are chosen on outcomes known before a period began, and frozen for it. */
export function walkForward(
  model: SignalModelName,
  candidates: readonly Candidate[],
  periods: readonly { readonly fromMs: number; readonly toMs: number }[],
): ModelWalk {
  const controls = candidates.filter(({ signal }) => signal.model === CONTROL_MODEL);
  const tested: Candidate[] = [];
  const walked: Period[] = [];
  let periodsAhead = 0;
  for (const period of periods) {
    const before = within(candidates, Number.NEGATIVE_INFINITY, period.fromMs - EMBARGO_MS);
    const chosen = chooseFactor(model, before);
    const signals = signalsOf(model, within(candidates, period.fromMs, period.toMs), chosen ?? 1);
    tested.push(...signals);
    walked.push({ ...period, chosen, signals: signals.length });
    const base = medianOf(within(controls, period.fromMs, period.toMs));
    if (signals.length > 0 && medianOf(signals) > base) periodsAhead++;
  }
  return {
    model,
    tries: periods.length * FACTORS.length,
    periods: walked,
    count: tested.length,
    medianPercent: medianOf(tested),
    lift: liftOf(tested, testedControls(controls, periods)),
    periodsAhead,
  };
}

export function walkAll(
  candidates: readonly Candidate[],
  periods: readonly { readonly fromMs: number; readonly toMs: number }[],
): ModelWalk[] {
  return SIGNAL_MODELS.map((model) => walkForward(model, candidates, periods));
}

/** The signals of a model with these parameters, with the cool-down kept, in order of time. */
export function signalsOf(
  model: SignalModelName,
  candidates: readonly Candidate[],
  factor: Factor,
): Candidate[] {
  const published = MODELS.find(({ name }) => name === model)?.parameters;
  if (published === undefined) return [];
  const parameters = scaledParameters(published, factor);
  const coolUntil = new Map<string, number>();
  return candidates.filter(({ signal }) => {
    if (signal.model !== model) return false;
    if (passedConditions(signal.features, parameters) === null) return false;
    if (signal.createdAtMs < (coolUntil.get(signal.mint) ?? 0)) return false;
    coolUntil.set(signal.mint, signal.createdAtMs + COOL_DOWN_MS);
    return true;
  });
}

export function liftOf(signals: readonly Candidate[], controls: readonly Candidate[]): Lift | null {
  return matchedLift(signals.flatMap(toReturn), controls.flatMap(toReturn));
}

/** Percent of $200, after all costs. */
export function percentOf({ returns }: Candidate): number | null {
  const found = returns[JUDGED_RULE]?.find(({ ticketUsd }) => ticketUsd === JUDGED_TICKET);
  return found === undefined ? null : Number(found.returnE9) / 1e9;
}

/** The set with the best mean among those with enough signals. */
function chooseFactor(model: SignalModelName, before: readonly Candidate[]): Factor | null {
  let best: { readonly factor: Factor; readonly mean: number } | null = null;
  for (const factor of FACTORS) {
    const returns = signalsOf(model, before, factor).flatMap((one) => percentOf(one) ?? []);
    if (returns.length < SIGNALS_MIN) continue;
    const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
    if (best === null || mean > best.mean) best = { factor, mean };
  }
  return best?.factor ?? null;
}

export function within(
  candidates: readonly Candidate[],
  fromMs: number,
  toMs: number,
): Candidate[] {
  return candidates.filter(
    ({ signal }) => signal.createdAtMs >= fromMs && signal.createdAtMs < toMs,
  );
}

function testedControls(
  controls: readonly Candidate[],
  periods: readonly { readonly fromMs: number; readonly toMs: number }[],
): Candidate[] {
  return periods.flatMap(({ fromMs, toMs }) => within(controls, fromMs, toMs));
}

function toReturn(candidate: Candidate): MatchedReturn[] {
  const percent = percentOf(candidate);
  if (percent === null) return [];
  const { signal } = candidate;
  return [{ day: Math.floor(signal.createdAtMs / DAY_MS), cell: marketCellOf(signal), percent }];
}

export function medianOf(candidates: readonly Candidate[]): number {
  const returns = candidates.flatMap((one) => {
    const percent = percentOf(one);
    return percent === null ? [] : [BigInt(Math.round(percent * 1e9))];
  });
  return Number(new ExactColumn(returns).median()) / 1e9;
}
