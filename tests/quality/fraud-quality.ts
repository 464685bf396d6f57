import { ATTACK_VARIANTS, INNOCENT_VARIANTS } from '../../simulator/scenarios/variants/registry.ts';
import {
  BENIGN_FAMILIES,
  type Difficulty,
  FRAUD_TYPES,
  type FraudType,
} from '../../simulator/truth/labels.ts';
import { FOUND_MIN, type FraudPlan, type FraudRun, nameOf } from './fraud-run.ts';

export const DIFFICULTIES: readonly Difficulty[] = ['easy', 'medium', 'hard'];
/** Names of seeds: thresholds and maps may be chosen on the first set, nothing on the second. */
export const SEED_SETS = ['training', 'held-back'] as const;
export type SeedSet = (typeof SEED_SETS)[number];

/** From this confidence on a finding is critical. */
export const CRITICAL_MIN = 0.9;
const BINS = 10;
/** Types whose delay is counted in slots; that of others is given in time. */
const IN_SLOTS: ReadonlySet<FraudType> = new Set<FraudType>(['traditional_bundle', 'late_bundle']);

/** A required figure and its measured value. */
export interface FraudGoal {
  readonly what: string;
  readonly bound: 'least' | 'most';
  readonly wanted: number;
  /** Null when nothing could be measured: that counts as missed. */
  readonly value: number | null;
  /** Runs of which the value is a share; null if it is none. */
  readonly trials: number | null;
  readonly isMet: boolean;
}

/** One scenario of a type at one difficulty. Means are over the runs in which it was found; null without any. */
export interface AttackRow {
  readonly type: FraudType;
  /** The type, or the name of another scenario of it. */
  readonly scenario: string;
  readonly difficulty: Difficulty;
  readonly runs: number;
  readonly recall: number;
  /** Part of the runs in which a fake dump was left out as part of a bundle-and-launder. */
  readonly covered: number;
  readonly jaccard: number | null;
  /** Part of the labelled attackers and funding sources that have their role. */
  readonly roles: number | null;
  /** It was found, and nobody in it is labelled as an attacker or a funding source. */
  readonly isWithoutRoles: boolean;
  /** The delay that 95 of 100 runs do not exceed. */
  readonly delaySlots: number | null;
  readonly delaySeconds: number | null;
}

export interface BenignRow {
  /** A family of METHODS §7.9, or the look-alike of an attack variant. */
  readonly family: string;
  readonly runs: number;
  /** Runs with any finding of `FOUND_MIN`, and of `CRITICAL_MIN`. */
  readonly found: number;
  readonly critical: number;
  readonly types: readonly FraudType[];
}

/** One type over all runs. */
export interface TypeRow {
  readonly type: FraudType;
  /** Its own attacks as a share of all its own attacks and innocent runs in which it was found. */
  readonly precision: number | null;
  /** Attacks of other types in which it was found as well: they may contain it. */
  readonly others: number;
  /** Over its own attacks and innocent runs with any finding of it; null without one. */
  readonly calibrationError: number | null;
  readonly judged: number;
}

export interface FraudQuality {
  readonly seeds: readonly string[];
  readonly runs: number;
  /** Runs whose blocks also went through the text of a node's answers. */
  readonly rawRuns: number;
  readonly transactions: number;
  readonly seconds: number;
  readonly evaluations: number;
  /** The duration that 99 of 100 evaluations do not exceed. */
  readonly evaluationMs: number | null;
  readonly attacks: readonly AttackRow[];
  readonly benign: readonly BenignRow[];
  readonly types: readonly TypeRow[];
  readonly goals: readonly FraudGoal[];
}

/**
 * Every attack at every difficulty on as many seeds as `runs`, `<set>-<first>` and on, and everything
 * innocent on `innocentRuns`: a share of a few in a thousand takes more of these.
 */
export function plansOf(
  set: SeedSet,
  runs: number,
  innocentRuns: number = runs,
  first: number = 1,
): FraudPlan[] {
  const seeds = Array.from(
    { length: Math.max(runs, innocentRuns) },
    (_, place) => `${set}-${first + place}`,
  );
  return seeds.flatMap((seed, place) => [
    ...(place < runs ? attackPlans(seed) : []),
    ...(place < innocentRuns ? innocentPlans(seed) : []),
  ]);
}

function attackPlans(seed: string): FraudPlan[] {
  return [
    ...FRAUD_TYPES.flatMap((type) =>
      DIFFICULTIES.map((difficulty) => ({ type, difficulty, seed })),
    ),
    ...Object.entries(ATTACK_VARIANTS).flatMap(([variant, { type }]) =>
      DIFFICULTIES.map((difficulty) => ({ type, difficulty, seed, variant })),
    ),
  ];
}

function innocentPlans(seed: string): FraudPlan[] {
  return [
    ...BENIGN_FAMILIES.map((type) => ({ type, difficulty: null, seed })),
    ...Object.keys(INNOCENT_VARIANTS).map((variant) => ({
      ...{ type: null, difficulty: null },
      ...{ seed, variant },
    })),
  ];
}

export function fraudQuality(runs: readonly FraudRun[]): FraudQuality {
  const scenarios = [...FRAUD_TYPES, ...Object.keys(ATTACK_VARIANTS)];
  const attacks = scenarios.flatMap((scenario) =>
    DIFFICULTIES.flatMap((difficulty) => attackRow(runs, scenario, difficulty)),
  );
  const families = [...BENIGN_FAMILIES, ...Object.keys(INNOCENT_VARIANTS)];
  const benign = families.flatMap((family) => benignRow(runs, family));
  const types = FRAUD_TYPES.map((type) => typeRow(runs, type));
  const evaluationsMs = runs.flatMap((run) => run.evaluationsMs);
  const sums = {
    seeds: [...new Set(runs.map(({ plan }) => plan.seed))],
    runs: runs.length,
    rawRuns: runs.filter(({ isRaw }) => isRaw).length,
    transactions: runs.reduce((sum, { transactions }) => sum + transactions, 0),
    seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
    evaluations: evaluationsMs.length,
    evaluationMs: quantile(evaluationsMs, 0.99),
  };
  const quality = { ...sums, attacks, benign, types };
  return { ...quality, goals: goalsOf(quality) };
}

function attackRow(
  runs: readonly FraudRun[],
  scenario: string,
  difficulty: Difficulty,
): AttackRow[] {
  const own = runs.filter(
    ({ plan }) => nameOf(plan) === scenario && plan.difficulty === difficulty,
  );
  const type = own[0]?.plan.type ?? null;
  if (type === null || !isFraudType(type)) return [];
  const matches = own.flatMap(({ match }) => (match === null ? [] : [match]));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const roles = sum(matches.map((match) => match.roles));
  return [
    {
      ...{ type, scenario, difficulty, runs: own.length },
      recall: matches.length / own.length,
      covered: own.filter(({ isCovered }) => isCovered).length / own.length,
      jaccard: shareOf(sum(matches.map(({ jaccard }) => jaccard)), matches.length),
      roles: shareOf(sum(matches.map(({ rolesRight }) => rolesRight)), roles),
      isWithoutRoles: matches.length > 0 && roles === 0,
      delaySlots: quantile(
        matches.map(({ delaySlots }) => delaySlots),
        0.95,
      ),
      delaySeconds: quantile(
        matches.map(({ delayMs }) => delayMs / 1_000),
        0.95,
      ),
    },
  ];
}

function isFraudType(type: string): type is FraudType {
  return (FRAUD_TYPES as readonly string[]).includes(type);
}

function benignRow(runs: readonly FraudRun[], family: string): BenignRow[] {
  const own = runs.filter(({ plan }) => nameOf(plan) === family);
  if (own.length === 0) return [];
  const types = own.flatMap(({ found }) =>
    found.filter(({ confidence }) => confidence >= FOUND_MIN).map(({ fraudType }) => fraudType),
  );
  return [
    {
      ...{ family, runs: own.length },
      found: own.filter((run) => bestOf(run) >= FOUND_MIN).length,
      critical: own.filter((run) => bestOf(run) >= CRITICAL_MIN).length,
      types: FRAUD_TYPES.filter((type) => types.includes(type)),
    },
  ];
}

function bestOf({ found }: FraudRun): number {
  return Math.max(0, ...found.map(({ confidence }) => confidence));
}

function typeRow(runs: readonly FraudRun[], type: FraudType): TypeRow {
  const confidenceOf = ({ found }: FraudRun) =>
    found.find(({ fraudType }) => fraudType === type)?.confidence ?? null;
  const isFound = (run: FraudRun) => (confidenceOf(run) ?? 0) >= FOUND_MIN;
  const own = runs.filter(({ plan }) => plan.type === type);
  const innocent = runs.filter(({ plan }) => plan.difficulty === null);
  const hits = own.filter(isFound).length;
  const alarms = innocent.filter(isFound).length;
  const points = [...own, ...innocent].flatMap((run) => {
    const confidence = confidenceOf(run);
    return confidence === null ? [] : [{ confidence, isTrue: run.plan.type === type }];
  });
  return {
    type,
    precision: shareOf(hits, hits + alarms),
    others: runs.filter(isFound).length - hits - alarms,
    calibrationError: calibrationError(points),
    judged: points.length,
  };
}

/**
 * Expected calibration error: in each of ten equal bins of confidence the gap between mean
 * confidence and the share of true findings, weighted by the number of findings. Null for no
 * points.
 */
export function calibrationError(
  points: readonly { readonly confidence: number; readonly isTrue: boolean }[],
): number | null {
  const bins = Map.groupBy(points, ({ confidence }) =>
    Math.min(BINS - 1, Math.floor(confidence * BINS)),
  );
  let gaps = 0;
  for (const bin of bins.values()) {
    const said = bin.reduce((sum, { confidence }) => sum + confidence, 0);
    gaps += Math.abs(said - bin.filter(({ isTrue }) => isTrue).length);
  }
  return shareOf(gaps, points.length);
}

/** The least value that at least this share of the values does not exceed; null for none. */
export function quantile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null;
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** The required figures, each per type and difficulty where that applies, and the two that are asked of all types together. */
function goalsOf({
  attacks,
  benign,
  types,
  evaluationMs,
}: Pick<FraudQuality, 'attacks' | 'benign' | 'types' | 'evaluationMs'>): FraudGoal[] {
  const innocent = benign.reduce((sum, { runs }) => sum + runs, 0);
  const alarms = benign.reduce((sum, { found }) => sum + found, 0);
  const critical = benign.reduce((sum, row) => sum + row.critical, 0);
  const hard = attacks.filter(({ difficulty }) => difficulty === 'hard');
  const others = attacks.filter(({ difficulty }) => difficulty !== 'hard');
  return [
    foundGoal('all types, easy and medium', 0.98, others),
    foundGoal('all types, hard', 0.85, hard),
    ...attacks.flatMap(attackGoals),
    goal('innocent runs with any finding', 'most', 0.005, shareOf(alarms, innocent), innocent),
    goal(
      'innocent runs with one of 0.9 and more',
      'most',
      0,
      shareOf(critical, innocent),
      innocent,
    ),
    ...types.map(({ type, calibrationError }) =>
      goal(`${type}: calibration error`, 'most', 0.05, calibrationError),
    ),
    goal('evaluation of a slot, ms, 99 of 100', 'most', 50, evaluationMs),
  ];
}

function attackGoals(row: AttackRow): FraudGoal[] {
  const { type, scenario, difficulty, recall, jaccard, roles, isWithoutRoles } = row;
  const { delaySlots, delaySeconds } = row;
  const name = `${scenario}, ${difficulty}`;
  const isHardExit = scenario === 'coordinated_exit' && difficulty === 'hard';
  return [
    goal(`${name}: found`, 'least', difficulty === 'hard' ? 0.7 : 0.95, recall, row.runs),
    goal(`${name}: wallets (Jaccard)`, 'least', isHardExit ? 0.85 : 0.8, jaccard),
    ...(isWithoutRoles ? [] : [goal(`${name}: roles`, 'least', 0.9, roles)]),
    IN_SLOTS.has(type)
      ? goal(`${name}: slots late, 95 of 100`, 'most', 3, delaySlots)
      : goal(`${name}: seconds late, 95 of 100`, 'most', 60, delaySeconds),
  ];
}

function goal(
  what: string,
  bound: FraudGoal['bound'],
  wanted: number,
  value: number | null,
  trials: number | null = null,
): FraudGoal {
  const isMet = value !== null && (bound === 'least' ? value >= wanted : value <= wanted);
  return { what, bound, wanted, value, trials, isMet };
}

/** The share found of all runs of several rows. */
function foundGoal(name: string, wanted: number, rows: readonly AttackRow[]): FraudGoal {
  const runs = rows.reduce((sum, row) => sum + row.runs, 0);
  const found = rows.reduce((sum, row) => sum + Math.round(row.recall * row.runs), 0);
  return goal(`${name}: found`, 'least', wanted, shareOf(found, runs), runs);
}
