import type { SimulatedBlock } from '../../simulator/chain/simulated-transaction.ts';
import type { World } from '../../simulator/market/world.ts';
import { type ScenarioPlan, stageScenario } from '../../simulator/scenario-stage.ts';
import type { AttackKnobs } from '../../simulator/scenarios/knobs.ts';
import type {
  AttackLabel,
  BenignFamily,
  BenignLabel,
  Difficulty,
  FraudType,
  Labels,
} from '../../simulator/truth/labels.ts';

/** The results of a scenario. */
export interface ScenarioRun {
  readonly blocks: readonly SimulatedBlock[];
  readonly labels: Labels;
  readonly attack: AttackLabel | null;
  readonly benign: BenignLabel | null;
  readonly knobs: AttackKnobs | null;
  readonly world: World;
  readonly isOver: boolean;
}

const SLOTS_MAX = 12_000;
/** Slots after the end of a scenario. */
const SLOTS_AFTER = 40;

export function runAttack(
  type: FraudType,
  difficulty: Difficulty,
  seed: string,
  options: { readonly forkRate?: number; readonly skipRate?: number } = {},
): ScenarioRun {
  return runPlan({ name: type, difficulty, seed, ...options });
}

export function runBenign(family: BenignFamily, seed: string): ScenarioRun {
  return runPlan({ name: family, difficulty: 'easy', seed });
}

/** Plays one of ATTACK_VARIANTS. Throws RangeError for another name. */
export function runAttackVariant(name: string, difficulty: Difficulty, seed: string): ScenarioRun {
  return runPlan({ name, difficulty, seed });
}

/** Plays one of INNOCENT_VARIANTS. Throws RangeError for another name. */
export function runInnocentVariant(name: string, seed: string): ScenarioRun {
  return runPlan({ name, difficulty: 'easy', seed });
}

function runPlan(plan: ScenarioPlan): ScenarioRun {
  const stage = stageScenario(plan);
  if (stage === null) throw new RangeError(`There is no scenario ${plan.name}.`);
  const blocks = [...stage.blocks(SLOTS_MAX, SLOTS_AFTER)];
  const { labels, knobs, world, isOver } = stage;
  const { attacks, benign } = labels;
  return {
    ...{ blocks, labels, knobs, world, isOver },
    attack: attacks[0] ?? null,
    benign: benign[0] ?? null,
  };
}
