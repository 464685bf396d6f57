import { Random } from '../../simulator/random/random.ts';
import {
  type BehaviourRow,
  byBehaviour,
  type ClassQuality,
  classQuality,
  share,
} from './class-quality.ts';
import { type Foresight, foresight, matchBestTenth } from './score-foresight.ts';
import {
  type SkillQuality,
  type SkillRow,
  skillByBehaviour,
  skillQuality,
} from './skill-quality.ts';
import type { JudgedWallet, WalletMarketPlan, WalletMarketRun } from './wallet-market.ts';

/** Seeds on which thresholds and the people of the simulation may be chosen. */
export const TRAINING_SEEDS = ['training-1', 'training-2', 'training-3', 'training-4'] as const;
/**
 * Seeds on which nothing was chosen. The first six are used up: the results of three led to the rule
 * for copied purchases, and three judged a score that counted wins.
 */
export const HELD_BACK_SEEDS = ['held-back-7', 'held-back-8', 'held-back-9'] as const;

/** A dense market shows programs by their activity; a long one shows which wallets are skilled. */
export const DENSE = {
  preset: 'launches',
  judgedAfterDays: 0.5,
  periods: 0,
  periodDays: 0,
} as const satisfies Omit<WalletMarketPlan, 'seed'>;
export const LONG = {
  preset: 'month',
  judgedAfterDays: 30,
  periods: 1,
  periodDays: 30,
} as const satisfies Omit<WalletMarketPlan, 'seed'>;

/** A wallet with fewer trades shows little of how it trades. */
export const TRADES_ENOUGH = 10;

/** A required figure and its measured value. */
export interface Goal {
  readonly what: string;
  readonly least: number;
  /** Null when nothing could be measured: that counts as missed. */
  readonly value: number | null;
  readonly isMet: boolean;
}

export interface SeedQuality {
  readonly seed: string;
  readonly dense: RunFigures & { readonly classes: ClassQuality };
  readonly long: RunFigures & { readonly classes: ClassQuality; readonly skill: SkillQuality };
}

interface RunFigures {
  readonly transactions: number;
  readonly launches: number;
  readonly seconds: number;
}

export interface WalletQuality {
  readonly seeds: readonly SeedQuality[];
  readonly goals: readonly Goal[];
  readonly dense: ClassesOfMarket;
  readonly long: ClassesOfMarket;
  readonly terminalOrganic: number | null;
  readonly skill: SkillQuality;
  readonly skillRows: readonly SkillRow[];
  /** By period after the ranking; null when no wallet of the best tenth began a position. */
  readonly foresight: readonly (Foresight | null)[];
}

interface ClassesOfMarket {
  readonly all: ClassQuality;
  /** Of wallets with `TRADES_ENOUGH` trades. */
  readonly active: ClassQuality;
  readonly rows: readonly BehaviourRow[];
}

/** Both markets of each seed, in the same order. */
export interface SeedRuns {
  readonly seed: string;
  readonly dense: WalletMarketRun;
  readonly long: WalletMarketRun;
}

/** All figures of the report; all goals are over all seeds together. */
export function walletQuality(runs: readonly SeedRuns[]): WalletQuality {
  const dense = runs.flatMap((run) => run.dense.wallets);
  const long = runs.flatMap((run) => run.long.wallets);
  const periods = runs[0]?.long.episodes.length ?? 0;
  const quality = {
    seeds: runs.map(seedQuality),
    dense: classesOf(dense),
    long: classesOf(long),
    terminalOrganic: organicShareOf([...dense, ...long], 'terminalUser'),
    skill: skillQuality(long),
    skillRows: skillByBehaviour(long),
    foresight: Array.from({ length: periods }, (_, period) => foresightOf(runs, period)),
  };
  return { ...quality, goals: goalsOf(quality) };
}

function seedQuality({ seed, dense, long }: SeedRuns): SeedQuality {
  return {
    seed,
    dense: { ...figuresOf(dense), classes: classQuality(dense.wallets) },
    long: {
      ...figuresOf(long),
      classes: classQuality(long.wallets),
      skill: skillQuality(long.wallets),
    },
  };
}

function figuresOf({ transactions, launches, seconds }: WalletMarketRun): RunFigures {
  return { transactions, launches, seconds };
}

function classesOf(wallets: readonly JudgedWallet[]): ClassesOfMarket {
  return {
    all: classQuality(wallets),
    active: classQuality(wallets.filter(({ trades }) => trades >= TRADES_ENOUGH)),
    rows: byBehaviour(wallets),
  };
}

function organicShareOf(wallets: readonly JudgedWallet[], behaviour: string): number | null {
  const own = wallets.filter(({ truth }) => truth.behaviour === behaviour);
  return share(own.filter(({ isBot }) => !isBot).length, own.length);
}

function foresightOf(runs: readonly SeedRuns[], period: number): Foresight | null {
  const best = runs.flatMap(({ long }) =>
    matchBestTenth(long.wallets, long.episodes[period] ?? []),
  );
  return foresight(best, new Random(`bootstrap/${period}`));
}

function goalsOf({
  dense,
  long,
  terminalOrganic,
  skill,
  foresight: periods,
}: Omit<WalletQuality, 'goals' | 'seeds'>): Goal[] {
  const enough = `${TRADES_ENOUGH} trades or more`;
  return [
    goal('right class, dense market, all wallets that traded', 0.95, dense.all.accuracy),
    goal(`right class, dense market, wallets of ${enough}`, 0.95, dense.active.accuracy),
    goal('right class, long market, all wallets that traded', 0.95, long.all.accuracy),
    goal('terminal users called organic, both markets', 0.98, terminalOrganic),
    goal('wallets called smart that are', 0.9, skill.precision),
    goal('smart wallets that are called so', 0.7, skill.recall),
    goal(
      'best tenth over matched wallets in the next period, low end of the interval, above',
      0,
      periods[0]?.low ?? null,
    ),
  ];
}

/** A goal of zero must be exceeded. */
function goal(what: string, least: number, value: number | null): Goal {
  const isMet = value !== null && (least === 0 ? value > 0 : value >= least);
  return { what, least, value, isMet };
}
