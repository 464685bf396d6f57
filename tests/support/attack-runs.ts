import type { AttackKnobs } from '../../simulator/scenarios/knobs.ts';
import type {
  AttackLabel,
  Difficulty,
  FraudRole,
  FraudType,
} from '../../simulator/truth/labels.ts';
import type { Address } from '../../src/model/units.ts';
import { ScenarioRecord } from './scenario-record.ts';
import { runAttack, type ScenarioRun } from './scenario-stage.ts';

/** One run of an attack with its label, and the data visible on the chain. */
export interface AttackRun {
  readonly run: ScenarioRun;
  readonly record: ScenarioRecord;
  readonly label: AttackLabel & { readonly endSlot: number };
  readonly knobs: AttackKnobs;
  /** Wallets of the label by role. */
  readonly of: (...roles: readonly FraudRole[]) => ReadonlySet<Address>;
}

const DIFFICULTIES: readonly Difficulty[] = ['easy', 'medium', 'hard'];
const SEEDS = 5;

/** Every difficulty with five seeds, as rows of a table test. */
export const ATTACK_CASES: readonly (readonly [Difficulty, string])[] = DIFFICULTIES.flatMap(
  (difficulty) =>
    Array.from({ length: SEEDS }, (_, seed) => [difficulty, `attack ${seed}`] as const),
);

/** Runs one attack alone; throws when its label is incomplete. */
export function playAttack(type: FraudType, difficulty: Difficulty, seed: string): AttackRun {
  const run = runAttack(type, difficulty, seed);
  const { attack, knobs } = run;
  if (attack === null || knobs === null || attack.endSlot === null || !run.isOver) {
    throw new Error(`${type} ${difficulty} ${seed} left no whole label`);
  }
  const { roles, endSlot } = attack;
  const of = (...wanted: readonly FraudRole[]): ReadonlySet<Address> =>
    new Set([...roles].flatMap(([wallet, role]) => (wanted.includes(role) ? [wallet] : [])));
  const label = { ...attack, endSlot };
  return { run, record: new ScenarioRecord(run), label, knobs, of };
}
