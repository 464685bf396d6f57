import { USDC } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { LaunchOptions } from '../market/launch-token.ts';
import type { World } from '../market/world.ts';
import type { Random } from '../random/random.ts';
import type { Market } from '../venues/market.ts';
import { PathMarket } from '../venues/path-market.ts';
import type { PlannedPumpLaunch, PumpLaunchOptions } from '../venues/pump-launch.ts';
import { type CurveQuote, USDC_QUOTE } from '../venues/pump-quote.ts';

export interface LaunchTermsOptions {
  readonly random: Random;
  readonly otherQuoteShare: number;
  readonly holderRewardShare: number;
  /** A pool of SOL in dollars; null if there is none. */
  readonly dollars: Market | null;
  /** Migrates coins whose curves leave no lamports for the costs. */
  readonly keeper: Address;
}

/** Number of recent coins that can become quote mints. */
const COINS_KEPT = 40;
const DOLLAR_SHARE = 0.35;
/** Creator fee rates of coins quoted in other mints, in basis points; recorded: 200. */
const CREATOR_BPS = [30n, 100n, 200n] as const;
type Terms = Required<
  Pick<PumpLaunchOptions, 'quote' | 'creatorBps' | 'isHolderReward' | 'migration'>
>;

/** The quote mints and fee recipients of launches on pump's curves. */
export class LaunchTerms {
  private readonly world: World;
  private readonly options: LaunchTermsOptions;
  /** Newest coins quoted in SOL. */
  private coins: PlannedPumpLaunch[] = [];

  constructor(world: World, options: LaunchTermsOptions) {
    this.world = world;
    this.options = options;
  }

  /** Only the newer creation supports other quote mints and holder rewards. */
  draw(version: 'create' | 'create_v2'): Terms {
    const { random, otherQuoteShare, holderRewardShare } = this.options;
    const isOther = random.chance(otherQuoteShare);
    const isHolderReward = random.chance(holderRewardShare) && version === 'create_v2';
    const quote = isOther && version === 'create_v2' ? this.drawQuote() : null;
    const creatorBps = quote?.kind === 'coin' ? random.pick(CREATOR_BPS) : null;
    return { quote, creatorBps, isHolderReward, migration: 'migrate_v2' };
  }

  /** The markets through which traders with lamports trade the coin, and who migrates it. */
  routeTo(plan: PlannedPumpLaunch): Pick<LaunchOptions, 'markets' | 'keeper'> {
    const { curve, migratedPool } = plan;
    if (curve.takesLamports) {
      this.coins = [...this.coins, plan].slice(-COINS_KEPT);
      return {};
    }
    const firsts = this.poolsOf(curve.quoteMint);
    const markets = {
      curve: new PathMarket(curve, firsts, this.world),
      pool: new PathMarket(migratedPool, firsts, this.world),
    };
    return { markets, keeper: this.options.keeper };
  }

  private drawQuote(): CurveQuote | null {
    const { random, dollars } = this.options;
    const { ledger } = this.world.chain;
    const open = this.coins.filter(
      ({ curve, migratedPool }) => curve.isOpen(ledger) || migratedPool.isOpen(ledger),
    );
    if (dollars !== null && (open.length === 0 || random.chance(DOLLAR_SHARE))) return USDC_QUOTE;
    if (open.length === 0) return null;
    const { curve, migratedPool: pool } = random.pick(open);
    return { kind: 'coin', curve, pool };
  }

  private poolsOf(mint: Address): Market[] {
    const { dollars } = this.options;
    if (mint === USDC) return dollars === null ? [] : [dollars];
    const coin = this.coins.find((plan) => plan.mint === mint);
    return coin === undefined ? [] : [coin.curve, coin.migratedPool];
  }
}
