import { CASES } from '../../simulator/scenarios/cases/registry.ts';
import type { Difficulty } from '../../simulator/truth/labels.ts';
import { DIFFICULTIES, fraudQuality, type SeedSet } from './fraud-quality.ts';
import type { FraudPlan, FraudRun } from './fraud-run.ts';

/** Every case at every difficulty with its look-alike, on seeds `<set>-1` and on. */
export function casePlansOf(set: SeedSet, runs: number): FraudPlan[] {
  const seeds = Array.from({ length: runs }, (_, place) => `${set}-${place + 1}`);
  return Object.entries(CASES).flatMap(([scenario, { type, family }]) =>
    seeds.flatMap((seed): FraudPlan[] => [
      ...DIFFICULTIES.map((difficulty): FraudPlan => ({ type, difficulty, seed, scenario })),
      { type: family, difficulty: null, seed, scenario },
    ]),
  );
}

/** The figures of one case at one difficulty; null ones are unknown for want of a run found. */
export interface CaseRow {
  readonly scenario: string;
  readonly difficulty: Difficulty;
  readonly runs: number;
  readonly recall: number;
  readonly roles: number | null;
  readonly delaySeconds: number | null;
  /** Runs of the look-alike with any finding of 0.5 or more, the same for each difficulty. */
  readonly innocentFound: number;
}

export function caseRows(runs: readonly FraudRun[]): CaseRow[] {
  return [...Map.groupBy(runs, ({ plan }) => plan.scenario ?? '')].flatMap(([scenario, own]) => {
    const { attacks, benign } = fraudQuality(own);
    const innocentFound = benign.reduce((sum, { found }) => sum + found, 0);
    return attacks.map(({ difficulty, runs: count, recall, roles, delaySeconds }) => ({
      ...{ scenario, difficulty, runs: count, recall, roles, delaySeconds, innocentFound },
    }));
  });
}
