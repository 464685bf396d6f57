import type { FraudQuality } from '../fraud-quality.ts';
import type { LaunchRow } from '../launches/launch-report.ts';
import type { SignalQuality } from '../signal-quality.ts';
import type { WalletQuality } from '../wallet-quality.ts';
import { figureText, intervalOfShare, type JudgedFigure, type Part } from './judged-figure.ts';

/** A row of `quality:sentiment -- --json`. */
export interface SentimentRow {
  readonly name: string;
  readonly wanted: number | null;
  readonly measured: number;
  readonly interval: readonly [number, number] | null;
}

/** Hard attacks are by crews that know the rules: they are their own part. */
export function readFraud(quality: FraudQuality, part: Part): JudgedFigure[] {
  const seeds = seedsText(quality.seeds);
  return quality.goals.map(({ what, bound, wanted, value, trials, isMet }) => ({
    part: part === 'held back' && what.includes(', hard:') ? 'adversarial' : part,
    report: 'fraud',
    what,
    wanted: `${bound === 'least' ? '≥' : '≤'} ${figureText(wanted)}`,
    measured: value === null ? 'nothing' : figureText(value),
    interval: value === null || trials === null ? null : textsOf(intervalOfShare(value, trials)),
    seeds,
    isMet,
  }));
}

export function readWallets(quality: WalletQuality, part: Part): JudgedFigure[] {
  const seeds = seedsText(quality.seeds.map(({ seed }) => seed));
  return quality.goals.map(({ what, least, value, isMet }) => ({
    part,
    report: 'wallets',
    what,
    wanted: `≥ ${figureText(least)}`,
    measured: value === null ? 'nothing' : figureText(value),
    interval: null,
    seeds,
    isMet,
  }));
}

/** Checks of the evaluator, which are asked for, and the lift of each model, which is not. */
export function readSignals({ runs, checks, walks }: SignalQuality, part: Part): JudgedFigure[] {
  const seeds = seedsText(runs.map(({ plan }) => plan.seed));
  const shared = { part, report: 'signals', seeds } as const;
  return [
    ...checks.map(({ what, wanted, measured, isMet }) => {
      return { ...shared, what, wanted, measured, interval: null, isMet };
    }),
    ...walks.map(({ model, lift }) => ({
      ...shared,
      what: `${model}: lift over random minutes, %`,
      wanted: null,
      measured: lift === null ? 'too few to say' : figureText(lift.lift),
      interval: lift?.interval == null ? null : textsOf(lift.interval),
      isMet: null,
    })),
  ];
}

/** Every post is judged by a model of the other folds. */
export function readSentiment(rows: readonly SentimentRow[]): JudgedFigure[] {
  return rows.map(({ name, wanted, measured, interval }) => ({
    part: 'recorded',
    report: 'sentiment',
    what: name,
    wanted: wanted === null ? null : `≥ ${figureText(wanted)}`,
    measured: figureText(measured),
    interval: interval === null ? null : textsOf(interval),
    seeds: '1',
    isMet: wanted === null ? null : measured >= wanted,
  }));
}

/** Real launches and their wallets: they have no seeds. */
export function readLaunches(rows: readonly LaunchRow[]): JudgedFigure[] {
  return rows.map(({ what, hits, of, wanted, isMet }) => ({
    ...{ part: 'recorded', report: 'launches', what, wanted, isMet, seeds: '-' },
    measured: `${hits} of ${of}`,
    interval: of === 0 ? null : textsOf(intervalOfShare(hits / of, of)),
  }));
}

function textsOf([low, high]: readonly [number, number]): readonly [string, string] {
  return [figureText(low), figureText(high)];
}

function seedsText(seeds: readonly string[]): string {
  const [first = '-'] = seeds;
  return seeds.length > 2 ? `${first} … ${seeds.at(-1)}` : seeds.join(', ');
}
