import type { Address } from '../../src/model/units.ts';
import { launchToken } from '../market/launch-token.ts';
import { drawTokenText } from '../market/token-names.ts';
import type { World } from '../market/world.ts';
import type { Exchanges } from '../people/exchanges.ts';
import type { AttractiveToken, Interest, TokenInterest } from '../people/token-interest.ts';
import type { Random } from '../random/random.ts';
import { planPumpLaunch } from '../venues/pump-launch.ts';
import { drawQuality, openCreator } from './creator.ts';
import { LaunchTerms, type LaunchTermsOptions } from './launch-terms.ts';
import type { SecondWaves } from './second-wave.ts';

export interface LaunchStreamOptions {
  readonly world: World;
  readonly random: Random;
  readonly exchanges: Exchanges;
  readonly crowd: {
    attract(token: AttractiveToken, interest: Interest): TokenInterest;
    keepAsCreator(creator: Address, interest: TokenInterest): void;
  };
  readonly perHour: number;
  /** The higher the power, the fewer tokens are attractive. */
  readonly qualityPower: number;
}

export interface PumpLaunchStreamOptions extends LaunchStreamOptions {
  /** Options of quote mints: launches may be quoted in something other than SOL. */
  readonly quotes: LaunchTermsOptions;
  readonly waves: SecondWaves;
}

const HOUR_MS = 3_600_000;
/** A creator's withdrawal from an exchange: for the creation, fees, and a first purchase. */
const CREATOR_SOL = { medianSol: 2, spread: 0.7, leastSol: 0.3 } as const;
/** Share of creators who buy some of their own token with its creation, and the amount. */
const BUYER_SHARE = 0.7;
const BUY_OF_FUNDS = { least: 0.05, most: 0.5 } as const;
/** Most tokens already use the newer creation. */
const CLASSIC_SHARE = 0.25;

/**
 * Ordinary launches: a creator funded by an exchange creates a token, which attracts buyers or not.
 */
export class LaunchStream {
  private readonly options: PumpLaunchStreamOptions;
  private readonly terms: LaunchTerms;

  constructor(options: PumpLaunchStreamOptions) {
    this.options = options;
    this.terms = new LaunchTerms(options.world, options.quotes);
  }

  /** Schedules the first launch; each launch schedules the next. */
  start(): void {
    if (this.options.perHour > 0) this.planNext();
  }

  private planNext(): void {
    const { world, random, perHour } = this.options;
    world.after(random.exponential(HOUR_MS / perHour), () => {
      this.launch();
      this.planNext();
    });
  }

  private launch(): void {
    const { world, random, exchanges, crowd } = this.options;
    const creator = openCreator(world);
    const sol = CREATOR_SOL.leastSol + random.logNormal(CREATOR_SOL.medianSol, CREATOR_SOL.spread);
    const lamports = BigInt(Math.round(sol * 1e9));
    const version = random.chance(CLASSIC_SHARE) ? 'create' : 'create_v2';
    const text = drawTokenText(random);
    const buyShare = random.chance(BUYER_SHARE) ? random.within(BUY_OF_FUNDS) : 0;
    const quality = drawQuality(random, this.options.qualityPower);
    exchanges.withdraw(creator, lamports, () => {
      const terms = this.terms.draw(version);
      const plan = planPumpLaunch(world, creator, text, { version, ...terms });
      const creatorBuyLamports = BigInt(Math.round(sol * buyShare * 1e9));
      const launched = launchToken(world, plan, creator, {
        creatorBuyLamports,
        ...this.terms.routeTo(plan),
        onLanded: ({ isFailed }) => {
          if (!isFailed && creatorBuyLamports > 0n) crowd.keepAsCreator(creator, interest);
        },
      });
      const interest = crowd.attract(launched, { quality, startMs: world.nowMs });
      this.options.waves.plan(launched.mint, crowd);
    });
  }
}
