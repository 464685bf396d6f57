import type { Address } from '../src/model/units.ts';
import type { SimulatedBlock } from './chain/simulated-transaction.ts';
import { EXCHANGE_WALLETS } from './market/common-accounts.ts';
import { launchToken } from './market/launch-token.ts';
import type { World } from './market/world.ts';
import { Exchanges } from './people/exchanges.ts';
import { Random } from './random/random.ts';
import { BenignGroup } from './scenarios/benign-group.ts';
import { type AttackKnobs, drawKnobs } from './scenarios/knobs.ts';
import type { ScenarioContext } from './scenarios/scenario.ts';
import { ATTACKS, LOOK_ALIKES } from './scenarios/schedule/registry.ts';
import { type Script, startScript } from './scenarios/script.ts';
import { ATTACK_VARIANTS, INNOCENT_VARIANTS } from './scenarios/variants/registry.ts';
import { Veterans } from './scenarios/veterans.ts';
import { createSimulation, type Simulation } from './simulation.ts';
import type { SimulationConfig } from './simulation-config.ts';
import { PRESETS } from './simulation-presets.ts';
import type { AttackLabel, BenignLabel, Difficulty, FraudType, Labels } from './truth/labels.ts';
import { planPumpLaunch } from './venues/pump-launch.ts';

/** A scenario to be played alone. */
export interface ScenarioPlan {
  /** An attack, a family of look-alikes, or a variant of either. */
  readonly name: string;
  readonly seed: string;
  /** Of an attack; look-alikes have none and ignore it. */
  readonly difficulty: Difficulty;
  /** Shares of slots; 0 unless given. */
  readonly forkRate?: number;
  readonly skipRate?: number;
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

const VETERANS = 80;
const BEFORE_MS = 10_000;
const CREATOR_LAMPORTS = 2_000_000_000n;
const TEXT = { name: 'Other Token', symbol: 'OTHER', uri: 'https://metadata.example/o.json' };

type Play = (context: ScenarioContext, knobs: AttackKnobs) => Script;

const ATTACK_PLAYS: Readonly<Record<string, { readonly type: FraudType; readonly play: Play }>> = {
  ...Object.fromEntries(
    Object.entries(ATTACKS).map(([type, play]) => [type, { type: type as FraudType, play }]),
  ),
  ...ATTACK_VARIANTS,
};

const INNOCENT_PLAYS: Readonly<
  Record<string, (context: ScenarioContext, group: BenignGroup) => Script>
> = { ...LOOK_ALIKES, ...INNOCENT_VARIANTS };

/** Names of all scenarios that `stageScenario` knows. */
export const SCENARIO_NAMES: readonly string[] = [
  ...Object.keys(ATTACK_PLAYS),
  ...Object.keys(INNOCENT_PLAYS),
];

/** A scenario on a chain of its own. The same plan gives the same blocks. */
export interface StagedScenario {
  readonly world: World;
  readonly labels: Labels;
  /** Null for a look-alike. */
  readonly knobs: AttackKnobs | null;
  /** Its label; null until it has begun. */
  readonly label: AttackLabel | BenignLabel | null;
  /** The token that it is about; null until it has begun. */
  readonly subject: Address | null;
  readonly isOver: boolean;
  /** Canonical blocks until so many slots after its end, and at most `slotsMax` slots. */
  blocks(slotsMax: number, slotsAfter: number): Generator<SimulatedBlock, void>;
}

/**
 * Stages a scenario alone, with one other token that wallets with a history have traded. Null for an
 * unknown name.
 */
export function stageScenario(plan: ScenarioPlan): StagedScenario | null {
  const { name, seed, difficulty } = plan;
  const attack = own(ATTACK_PLAYS, name);
  if (attack !== null) {
    const knobs = drawKnobs(new Random(`${seed}/knobs`), attack.type, difficulty);
    return new Stage(plan, knobs, (context) => attack.play(context, knobs));
  }
  const play = own(INNOCENT_PLAYS, name);
  if (play === null) return null;
  return new Stage(plan, null, (context) => play(context, new BenignGroup(context, name)));
}

class Stage implements StagedScenario {
  readonly knobs: AttackKnobs | null;
  private readonly simulation: Simulation;
  private hasEnded = false;

  constructor(
    { seed, forkRate = 0, skipRate = 0 }: ScenarioPlan,
    knobs: AttackKnobs | null,
    scriptOf: (context: ScenarioContext) => Script,
  ) {
    this.knobs = knobs;
    this.simulation = createSimulation({ ...QUIET, seed, forkRate, skipRate });
    const { world } = this.simulation;
    const random = new Random(seed);
    const veterans = new Veterans(world, random.fork('veterans'), VETERANS);
    const exchanges = new Exchanges(world, { hotWallets: EXCHANGE_WALLETS, bridges: [] });
    const crowd = { attract: () => undefined };
    launchOther(world, exchanges);
    const context = { world, random, seed, exchanges, crowd, veterans };
    world.after(BEFORE_MS, () => {
      startScript(scriptOf(context), () => {
        this.hasEnded = true;
      });
    });
  }

  get world(): World {
    return this.simulation.world;
  }

  get labels(): Labels {
    return this.simulation.truth.labels;
  }

  get label(): AttackLabel | BenignLabel | null {
    return this.labels.attacks[0] ?? this.labels.benign[0] ?? null;
  }

  get subject(): Address | null {
    return this.label?.mint ?? null;
  }

  get isOver(): boolean {
    return this.hasEnded;
  }

  *blocks(slotsMax: number, slotsAfter: number): Generator<SimulatedBlock, void> {
    let after = slotsAfter;
    for (let slot = 0; slot < slotsMax && after > 0; slot++) {
      const step = this.simulation.step();
      if (this.hasEnded) after--;
      if (step?.isCanonical === true) yield step.block;
    }
  }
}

function launchOther(world: World, exchanges: Exchanges): void {
  const creator = world.keyring.wallet();
  exchanges.withdraw(creator, CREATOR_LAMPORTS, () => {
    launchToken(world, planPumpLaunch(world, creator, TEXT), creator);
  });
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | null {
  return Object.hasOwn(record, name) ? (record[name] ?? null) : null;
}
