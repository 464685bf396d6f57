import { fraudQuality } from '../fraud-quality.ts';
import { FOUND_MIN, type FraudRun, nameOf } from '../fraud-run.ts';

/** Figures of the same runs, with a rule or without it. */
export interface AblationFigures {
  /** Shares of attacks found at easy and medium, and at hard; null where none was played. */
  readonly found: readonly [easier: number | null, hard: number | null];
  /** Mean over the attacks found. */
  readonly jaccard: number | null;
  readonly innocentFound: number;
}

/** What a rule adds, from the same runs with and without it. */
export interface AblationRow {
  readonly name: string;
  readonly without: string;
  /** What was played, by name. */
  readonly scenarios: readonly string[];
  readonly seeds: readonly string[];
  readonly runs: number;
  /** Runs in which the score of any type, the wallets found or their time differ. */
  readonly changed: number;
  readonly whole: AblationFigures;
  readonly left: AblationFigures;
  /** Scenario, difficulty and figure that changed, as `hard pools-wash: Jaccard 0.99 to 0.72`. */
  readonly differences: readonly string[];
}

/** `whole` and `runs` are of the same plans, in the same order. */
export function ablationRow(
  { name, without }: Pick<AblationRow, 'name' | 'without'>,
  whole: readonly FraudRun[],
  runs: readonly FraudRun[],
): AblationRow {
  return {
    ...{ name, without, runs: runs.length },
    scenarios: [...new Set(whole.map(({ plan }) => nameOf(plan)))],
    seeds: [...new Set(whole.map(({ plan }) => plan.seed))],
    changed: runs.filter((run, place) => resultOf(run) !== resultOf(whole[place])).length,
    whole: figuresOf(whole),
    left: figuresOf(runs),
    differences: differencesOf(whole, runs),
  };
}

function figuresOf(runs: readonly FraudRun[]): AblationFigures {
  const attacks = runs.filter(({ plan }) => plan.difficulty !== null);
  const matches = attacks.flatMap(({ match }) => match ?? []);
  const isHard = ({ plan }: FraudRun) => plan.difficulty === 'hard';
  const innocent = runs.filter(({ plan }) => plan.difficulty === null);
  return {
    found: [foundOf(attacks.filter((run) => !isHard(run))), foundOf(attacks.filter(isHard))],
    jaccard:
      matches.length === 0
        ? null
        : matches.reduce((sum, { jaccard }) => sum + jaccard, 0) / matches.length,
    innocentFound: innocent.filter(({ found }) =>
      found.some(({ confidence }) => confidence >= FOUND_MIN),
    ).length,
  };
}

function resultOf(run: FraudRun | undefined): string {
  return JSON.stringify([run?.found, run?.match, run?.isCovered]);
}

function foundOf(attacks: readonly FraudRun[]): number | null {
  return attacks.length === 0
    ? null
    : attacks.filter(({ match }) => match !== null).length / attacks.length;
}

const FIGURES = [
  ['found', 'recall'],
  ['Jaccard', 'jaccard'],
  ['roles', 'roles'],
  ['seconds late', 'delaySeconds'],
] as const;
/** Means over a few runs: smaller differences are not worth a line. */
const DIFFERENCE_MIN = 0.01;

function differencesOf(whole: readonly FraudRun[], runs: readonly FraudRun[]): string[] {
  const rowsOf = (of: readonly FraudRun[]) => fraudQuality(of).attacks;
  const before = rowsOf(whole);
  return rowsOf(runs).flatMap((row) => {
    const { scenario, difficulty } = row;
    const own = before.find(
      (other) => other.scenario === scenario && other.difficulty === difficulty,
    );
    return FIGURES.flatMap(([name, key]) => {
      const [from, to] = [own?.[key] ?? null, row[key]];
      if (from === to || Math.abs((to ?? 0) - (from ?? 0)) < DIFFERENCE_MIN) return [];
      return [`${difficulty} ${scenario}: ${name} ${figure(from)} to ${figure(to)}`];
    });
  });
}

function figure(value: number | null): string {
  return value === null ? 'none' : value.toFixed(2);
}
