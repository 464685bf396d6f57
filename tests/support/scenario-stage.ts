import type { SimulatedBlock } from '../../simulator/chain/simulated-transaction.ts';
import { EXCHANGE_WALLETS } from '../../simulator/market/common-accounts.ts';
import { launchToken } from '../../simulator/market/launch-token.ts';
import type { World } from '../../simulator/market/world.ts';
import { Exchanges } from '../../simulator/people/exchanges.ts';
import { Random } from '../../simulator/random/random.ts';
import { BenignGroup } from '../../simulator/scenarios/benign-group.ts';
import { type AttackKnobs, drawKnobs } from '../../simulator/scenarios/knobs.ts';
import type { ScenarioContext } from '../../simulator/scenarios/scenario.ts';
import { ATTACKS, LOOK_ALIKES } from '../../simulator/scenarios/schedule/registry.ts';
import { type Script, startScript } from '../../simulator/scenarios/script.ts';
import { ATTACK_VARIANTS, INNOCENT_VARIANTS } from '../../simulator/scenarios/variants/registry.ts';
import { Veterans } from '../../simulator/scenarios/veterans.ts';
import { createSimulation, type Simulation } from '../../simulator/simulation.ts';
import type { SimulationConfig } from '../../simulator/simulation-config.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import type {
  AttackLabel,
  BenignFamily,
  BenignLabel,
  Difficulty,
  FraudType,
  Labels,
} from '../../simulator/truth/labels.ts';
import { planPumpLaunch } from '../../simulator/venues/pump-launch.ts';

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

/** Only the scenario acts; other blocks are empty. */
const QUIET: SimulationConfig = {
  ...PRESETS.calm,
  votesPerBlock: 0,
  launchesPerHour: 0,
  people: Object.fromEntries(
    Object.keys(PRESETS.calm.people).map((name) => [name, 0]),
  ) as SimulationConfig['people'],
};

const SLOTS_MAX = 12_000;
/** Slots after the end of a scenario. */
const SLOTS_AFTER = 40;
const TEXT = { name: 'Other Token', symbol: 'OTHER', uri: 'https://metadata.example/o.json' };

export function runAttack(
  type: FraudType,
  difficulty: Difficulty,
  seed: string,
  options: { readonly forkRate?: number; readonly skipRate?: number } = {},
): ScenarioRun {
  const knobs = drawKnobs(new Random(`${seed}/knobs`), type, difficulty);
  return runScript(seed, options, knobs, (context) => ATTACKS[type](context, knobs));
}

export function runBenign(family: BenignFamily, seed: string): ScenarioRun {
  return runScript(seed, {}, null, (context) =>
    LOOK_ALIKES[family](context, new BenignGroup(context, family)),
  );
}

/** Plays one of ATTACK_VARIANTS. Throws RangeError for another name. */
export function runAttackVariant(name: string, difficulty: Difficulty, seed: string): ScenarioRun {
  const variant = ATTACK_VARIANTS[name];
  if (variant === undefined) throw new RangeError(`There is no attack variant ${name}.`);
  const knobs = drawKnobs(new Random(`${seed}/knobs`), variant.type, difficulty);
  return runScript(seed, {}, knobs, (context) => variant.play(context, knobs));
}

/** Plays one of INNOCENT_VARIANTS. Throws RangeError for another name. */
export function runInnocentVariant(name: string, seed: string): ScenarioRun {
  const play = INNOCENT_VARIANTS[name];
  if (play === undefined) throw new RangeError(`There is no innocent variant ${name}.`);
  return runScript(seed, {}, null, (context) => play(context, new BenignGroup(context, name)));
}

/**
 * Runs a scenario alone on a chain, with one other token that wallets with a history have traded.
 */
function runScript(
  seed: string,
  { forkRate = 0, skipRate = 0 },
  knobs: AttackKnobs | null,
  scriptOf: (context: ScenarioContext) => Script,
): ScenarioRun {
  const simulation: Simulation = createSimulation({ ...QUIET, seed, forkRate, skipRate });
  const { world, truth } = simulation;
  const random = new Random(seed);
  const veterans = new Veterans(world, random.fork('veterans'), 80);
  const exchanges = new Exchanges(world, { hotWallets: EXCHANGE_WALLETS, bridges: [] });
  const crowd = { attract: () => undefined };
  launchOther(world, exchanges);
  const context = { world, random, seed, exchanges, crowd, veterans };
  let isOver = false;
  world.after(10_000, () => {
    startScript(scriptOf(context), () => {
      isOver = true;
    });
  });
  const blocks: SimulatedBlock[] = [];
  let after = SLOTS_AFTER;
  for (let slot = 0; slot < SLOTS_MAX && after > 0; slot++) {
    const step = simulation.step();
    if (step?.isCanonical === true) blocks.push(step.block);
    if (isOver) after--;
  }
  const { attacks, benign } = truth.labels;
  return {
    ...{ blocks, labels: truth.labels, knobs, world, isOver },
    attack: attacks[0] ?? null,
    benign: benign[0] ?? null,
  };
}

function launchOther(world: World, exchanges: Exchanges): void {
  const creator = world.keyring.wallet();
  exchanges.withdraw(creator, 2_000_000_000n, () => {
    launchToken(world, planPumpLaunch(world, creator, TEXT), creator);
  });
}
