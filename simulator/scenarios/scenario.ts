import type { Address } from '../../src/model/units.ts';
import type { World } from '../market/world.ts';
import type { Exchanges } from '../people/exchanges.ts';
import type { AttractiveToken, Interest } from '../people/token-interest.ts';
import type { Random } from '../random/random.ts';
import type { Veterans } from './veterans.ts';

/** Attracts people to a token: the market's crowd, or nobody in a small test. */
export interface ScenarioCrowd {
  attract(token: AttractiveToken, interest: Interest): unknown;
}

/** The environment of one run of a scenario. */
export interface ScenarioContext {
  readonly world: World;
  /** For this run only; `seed` is its initial seed, which is part of the label. */
  readonly random: Random;
  readonly seed: string;
  readonly exchanges: Exchanges;
  readonly crowd: ScenarioCrowd;
  /** Wallets with a history, for runs that need them. */
  readonly veterans: Veterans;
}

/** The part that all runs of a market share. */
export type SharedScenarioContext = Omit<ScenarioContext, 'random' | 'seed'>;

/** A wallet and the lamports it receives. */
export interface Payment {
  readonly wallet: Address;
  readonly lamports: bigint;
}
