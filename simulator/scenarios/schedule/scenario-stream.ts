import type { Random } from '../../random/random.ts';
import {
  BENIGN_FAMILIES,
  type BenignFamily,
  type Difficulty,
  FRAUD_TYPES,
  type FraudType,
} from '../../truth/labels.ts';
import { BenignGroup } from '../benign-group.ts';
import { drawKnobs } from '../knobs.ts';
import type { ScenarioContext, SharedScenarioContext } from '../scenario.ts';
import { startScript } from '../script.ts';
import { Veterans } from '../veterans.ts';
import { ATTACKS, LOOK_ALIKES } from './registry.ts';

export interface ScenarioStreamOptions {
  readonly shared: Omit<SharedScenarioContext, 'veterans'>;
  readonly random: Random;
  readonly attacksPerHour: Readonly<Record<FraudType, number>>;
  readonly benignPerHour: Readonly<Record<BenignFamily, number>>;
}

const HOUR_MS = 3_600_000;
const VETERANS = 400;
const DIFFICULTIES: readonly Difficulty[] = ['easy', 'medium', 'hard'];

/** Runs attacks and look-alikes at random times, each with its own rate. */
export class ScenarioStream {
  private readonly options: ScenarioStreamOptions;
  private readonly veterans: Veterans;

  /** To be called before the first slot: some wallets get a history. */
  constructor(options: ScenarioStreamOptions) {
    this.options = options;
    const random = options.random.fork('veterans');
    this.veterans = new Veterans(options.shared.world, random, VETERANS);
  }

  /** Schedules the first run of each scenario; each run schedules the next. */
  start(): void {
    const { attacksPerHour, benignPerHour } = this.options;
    for (const type of FRAUD_TYPES) this.plan(type, attacksPerHour[type], 1);
    for (const family of BENIGN_FAMILIES) this.plan(family, benignPerHour[family], 1);
  }

  private plan(name: FraudType | BenignFamily, perHour: number, run: number): void {
    if (perHour === 0) return;
    const random = this.options.random.fork(`${name}/${run}`);
    this.options.shared.world.after(random.exponential(HOUR_MS / perHour), () => {
      this.begin(name, random.fork('run'));
      this.plan(name, perHour, run + 1);
    });
  }

  private begin(name: FraudType | BenignFamily, random: Random): void {
    const { veterans } = this;
    const context: ScenarioContext = {
      ...this.options.shared,
      veterans,
      random,
      seed: random.seed,
    };
    if (isFraudType(name)) {
      const knobs = drawKnobs(random.fork('knobs'), name, random.pick(DIFFICULTIES));
      startScript(ATTACKS[name](context, knobs));
    } else startScript(LOOK_ALIKES[name](context, new BenignGroup(context, name)));
  }
}

function isFraudType(name: FraudType | BenignFamily): name is FraudType {
  return (FRAUD_TYPES as readonly string[]).includes(name);
}
