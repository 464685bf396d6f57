import { FRAUD_TYPES, type FraudType } from '../../src/model/fraud.ts';
import { quantile } from './fraud-quality.ts';
import type { Compared, RulesRun } from './rules-run.ts';

/** Runs in which a type was found at any evaluation. */
export interface FoundRuns {
  readonly runs: number;
  readonly both: number;
  readonly detectorOnly: number;
  readonly ruleOnly: number;
}

export interface TypeComparison {
  readonly type: FraudType;
  /** In attacks of the type. */
  readonly attacks: FoundRuns;
  /** In attacks of other types, where it may be right too. */
  readonly others: FoundRuns;
  /** In innocent runs: false alarms. */
  readonly innocent: FoundRuns;
  /** Over all evaluations of all runs. */
  readonly evaluations: Compared;
}

export interface RulesQuality {
  readonly runs: number;
  readonly seeds: readonly string[];
  readonly evaluations: number;
  /** Medians of an evaluation, in microseconds; null without any. */
  readonly detectorsUs: number | null;
  readonly rulesUs: number | null;
  readonly types: readonly TypeComparison[];
}

export function rulesQuality(runs: readonly RulesRun[]): RulesQuality {
  const median = (read: (run: RulesRun) => readonly number[]) => {
    const medianMs = quantile(runs.flatMap(read), 0.5);
    return medianMs === null ? null : medianMs * 1_000;
  };
  return {
    runs: runs.length,
    seeds: [...new Set(runs.map(({ plan }) => plan.seed))],
    evaluations: runs.reduce((total, { evaluations }) => total + evaluations, 0),
    detectorsUs: median(({ detectorsMs }) => detectorsMs),
    rulesUs: median(({ rulesMs }) => rulesMs),
    types: FRAUD_TYPES.map((type) => comparisonOf(type, runs)),
  };
}

function comparisonOf(type: FraudType, runs: readonly RulesRun[]): TypeComparison {
  const isAttack = ({ plan }: RulesRun) => plan.difficulty !== null;
  const isOwn = ({ plan }: RulesRun) => plan.type === type;
  const of = (wanted: readonly RulesRun[]) => foundRuns(wanted.map(({ types }) => types[type]));
  const sum = (name: keyof Compared) =>
    runs.reduce((total, { types }) => total + types[type][name], 0);
  return {
    type,
    attacks: of(runs.filter((run) => isAttack(run) && isOwn(run))),
    others: of(runs.filter((run) => isAttack(run) && !isOwn(run))),
    innocent: of(runs.filter((run) => !isAttack(run))),
    evaluations: {
      both: sum('both'),
      detectorOnly: sum('detectorOnly'),
      ruleOnly: sum('ruleOnly'),
      covered: sum('covered'),
    },
  };
}

function foundRuns(runs: readonly Compared[]): FoundRuns {
  const found = { runs: runs.length, both: 0, detectorOnly: 0, ruleOnly: 0 };
  for (const { both, detectorOnly, ruleOnly } of runs) {
    const isByDetector = both + detectorOnly > 0;
    const isByRule = both + ruleOnly > 0;
    if (isByDetector && isByRule) found.both++;
    else if (isByDetector) found.detectorOnly++;
    else if (isByRule) found.ruleOnly++;
  }
  return found;
}
