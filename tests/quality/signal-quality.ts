import { Random } from '../../simulator/random/random.ts';
import { CONTROL_MODEL, SIGNAL_MODELS, type SignalModelName } from '../../src/model/signal.ts';
import type { Lift } from '../../src/model/signal-statistics.ts';
import { CANARY, findLeaks, WINDOW_FEATURES } from './signal-leaks.ts';
import type { Candidate, SignalMarketRun } from './signal-market.ts';
import {
  liftOf,
  type ModelWalk,
  medianOf,
  percentOf,
  signalsOf,
  testPeriods,
  walkAll,
  within,
} from './signal-walk-forward.ts';
import { tenMinuteBuys } from './ten-minute-buys.ts';

/** A check of the evaluator itself: if one fails, no result about models is valid. */
export interface Check {
  readonly what: string;
  readonly wanted: string;
  readonly measured: string;
  readonly isMet: boolean;
}

export interface SignalQuality {
  readonly runs: readonly Pick<SignalMarketRun, 'plan' | 'transactions'>[];
  readonly candidates: number;
  readonly randomMinutes: number;
  readonly checks: readonly Check[];
  /** With the published parameters, over all days. */
  readonly published: readonly PublishedSignals[];
  /** Over all seeds, each of which walks forward through its own days. */
  readonly walks: readonly ModelWalk[];
  readonly seeds: readonly SeedSignals[];
  readonly tenMinutes: Baseline;
}

export interface PublishedSignals {
  readonly model: SignalModelName;
  readonly count: number;
}

/** The walks of one seed. */
export interface SeedSignals {
  readonly seed: string;
  readonly walks: readonly ModelWalk[];
  readonly tenMinutes: Baseline;
}

/** What buying every token at ten minutes returned in the test periods. */
export interface Baseline {
  readonly count: number;
  readonly medianPercent: number;
  readonly lift: Lift | null;
}

/** An evaluation of fewer seeds says more of the seeds than of the models. */
export const SEEDS_LEAST = 10;
/** Draws of random signals, and how many of them may differ significantly from zero. */
const RANDOM_DRAWS = 20;
const RANDOM_MISSES_MAX = 4;

/** Seeds apart: a token's cool-down ends with its market. */
export function publishedSignals(
  runs: readonly Pick<SignalMarketRun, 'candidates'>[],
): PublishedSignals[] {
  return SIGNAL_MODELS.map((model) => ({
    model,
    count: runs.reduce((sum, { candidates }) => sum + signalsOf(model, candidates, 1).length, 0),
  }));
}

/** Runs are concatenated by seed: each seed walks forward through its own days. */
export function signalQuality(runs: readonly SignalMarketRun[]): SignalQuality {
  const all = runs.flatMap(({ candidates }) => candidates);
  const random = all.filter(({ signal }) => signal.model === CONTROL_MODEL);
  const [first] = runs;
  const periods = first === undefined ? [] : testPeriods(first.startMs, first.plan.days);
  return {
    runs: runs.map(({ plan, transactions }) => ({ plan, transactions })),
    candidates: all.length,
    randomMinutes: random.length,
    checks: [...leakChecks(runs), randomCheck(random), plantedCheck(random)],
    published: publishedSignals(runs),
    walks: walkAll(all, periods),
    seeds: runs.map(({ plan, candidates }) => ({
      seed: plan.seed,
      walks: walkAll(candidates, periods),
      tenMinutes: baselineOf(candidates, periods),
    })),
    tenMinutes: baselineOf(all, periods),
  };
}

/** Tokens bought at ten minutes in the test periods, against random minutes of the same periods. */
export function baselineOf(
  candidates: readonly Candidate[],
  periods: readonly { readonly fromMs: number; readonly toMs: number }[],
): Baseline {
  const buys = periods.flatMap(({ fromMs, toMs }) =>
    within(tenMinuteBuys(candidates), fromMs, toMs),
  );
  const controls = candidates.filter(({ signal }) => signal.model === CONTROL_MODEL);
  const tested = periods.flatMap(({ fromMs, toMs }) => within(controls, fromMs, toMs));
  return {
    count: buys.length,
    medianPercent: medianOf(buys),
    lift: liftOf(buys, tested),
  };
}

export function leakChecks(runs: readonly Pick<SignalMarketRun, 'tapes'>[]): Check[] {
  const tapes = runs.flatMap((run) => run.tapes);
  const features = { ...WINDOW_FEATURES, canary: CANARY };
  const found = findLeaks(features, tapes, 'leaks');
  const others = found.filter((name) => name !== 'canary');
  return [
    {
      what: 'a feature that sees the next minute is found',
      wanted: 'found',
      measured: found.includes('canary') ? 'found' : 'missed',
      isMet: found.includes('canary'),
    },
    {
      what: `of ${Object.keys(WINDOW_FEATURES).length} figures of the window, those that see later minutes`,
      wanted: 'none',
      measured: others.join(', ') || 'none',
      isMet: others.length === 0,
    },
  ];
}

/** Random minutes in two halves: one half as signals, the other as comparison. */
export function randomCheck(minutes: readonly Candidate[]): Check {
  const lifts = Array.from({ length: RANDOM_DRAWS }, (_, draw) => {
    const [signals, controls] = halves(minutes, new Random(`random signals/${draw}`));
    return liftOf(signals, controls);
  });
  const unknown = lifts.filter((lift) => lift?.interval == null).length;
  const misses = lifts.filter((lift) => lift?.interval != null && !coversZero(lift)).length;
  return {
    what: `of ${RANDOM_DRAWS} draws of random signals, those whose interval leaves zero out`,
    wanted: `at most ${RANDOM_MISSES_MAX}`,
    measured: unknown > 0 ? `${unknown} without an interval` : String(misses),
    isMet: unknown === 0 && misses <= RANDOM_MISSES_MAX,
  };
}

/** Random signals without three of four of their worse half. */
export function plantedCheck(minutes: readonly Candidate[]): Check {
  const random = new Random('planted edge');
  const [signals, controls] = halves(minutes, random);
  const sorted = signals.flatMap((one) => percentOf(one) ?? []).sort((one, other) => one - other);
  const median = sorted[sorted.length >> 1] ?? 0;
  const kept = signals.filter((one) => (percentOf(one) ?? 0) >= median || random.chance(0.25));
  const lift = liftOf(kept, controls);
  return {
    what: 'an edge that was planted is found: three of four losers left out',
    wanted: 'interval above 0',
    measured: intervalText(lift),
    isMet: lift?.interval != null && lift.interval[0] > 0,
  };
}

export function intervalText(lift: Lift | null): string {
  if (lift?.interval == null) return 'too few to say';
  const [low, high] = lift.interval;
  return `${low.toFixed(2)} to ${high.toFixed(2)}`;
}

function coversZero({ interval }: Lift): boolean {
  return interval !== null && interval[0] <= 0 && interval[1] >= 0;
}

function halves(
  minutes: readonly Candidate[],
  random: Random,
): readonly [Candidate[], Candidate[]] {
  const parts: [Candidate[], Candidate[]] = [[], []];
  for (const minute of minutes) parts[random.chance(0.5) ? 0 : 1].push(minute);
  return parts;
}
