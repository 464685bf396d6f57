import type { Address } from '../../src/model/units.ts';
import type { World } from '../market/world.ts';
import type { Exchanges } from '../people/exchanges.ts';
import type { AttractiveToken, Interest } from '../people/token-interest.ts';
import type { Random } from '../random.ts';
import type { BenignFamily, FraudType } from '../truth/labels.ts';
import type { AttackKnobs } from './knobs.ts';
import type { Script } from './script.ts';
import type { Veterans } from './veterans.ts';

/** Whoever brings people to a token: the market's crowd, or nobody in a small test. */
export interface ScenarioCrowd {
  attract(token: AttractiveToken, interest: Interest): unknown;
}

/** What one run of a scenario works with. */
export interface ScenarioContext {
  readonly world: World;
  /** This run's alone; `seed` is what it began with, and goes into the label. */
  readonly random: Random;
  readonly seed: string;
  readonly exchanges: Exchanges;
  readonly crowd: ScenarioCrowd;
  /** Wallets with a past, for those who want to look like one. */
  readonly veterans: Veterans;
}

/** What every run of the market shares. */
export type ScenarioPlace = Omit<ScenarioContext, 'random' | 'seed'>;

/** One of the six fraud patterns: acts, and writes its own label once it has begun. */
export interface AttackScenario {
  readonly name: FraudType;
  /** What happens, in one sentence. */
  readonly describe: string;
  readonly run: (context: ScenarioContext, knobs: AttackKnobs) => Script;
}

/** An innocent look-alike of METHODS §7.9: acts, and names the wallets that look suspicious. */
export interface BenignScenario {
  readonly name: BenignFamily;
  readonly describe: string;
  readonly run: (context: ScenarioContext) => Script;
}

/** Wallets and lamports they are to get. */
export interface Payment {
  readonly wallet: Address;
  readonly lamports: bigint;
}
