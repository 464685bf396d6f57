import { USDC, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { Random } from '../random/random.ts';
import type { Market } from '../venues/market.ts';
import { rawPriceOf } from './genesis.ts';
import type { PricePath } from './price-path.ts';
import { type TradePlan, tradeTowards } from './trade-towards.ts';
import type { World } from './world.ts';

export interface SolPriceKeeperOptions {
  /** Owns token accounts of wrapped SOL and USDC that last for the whole run. */
  readonly wallet: Address;
  readonly pools: readonly Market[];
  readonly path: PricePath;
  readonly random: Random;
  /** Mean time between two trades in one pool. */
  readonly everyMs: number;
}

/** Minimum trade in dollars: smaller ones do not count towards the service's price. */
const LEAST_USD = 150;
/** Dollar value of trades without a price gap: median, and spread of its logarithm. */
const USUAL_USD = 600;
const USUAL_SPREAD = 0.6;
const COMPUTE_BUDGET = { unitLimit: 200_000, priceMicroLamports: 50_000n };

/**
 * Keeps the SOL/USDC pools at the price of a path by arbitrage: every few seconds one trade per
 * pool towards that price, or an ordinary trade if the pool's fee leaves no profit.
 */
export class SolPriceKeeper {
  private readonly world: World;
  private readonly options: SolPriceKeeperOptions;

  constructor(world: World, options: SolPriceKeeperOptions) {
    this.world = world;
    this.options = options;
  }

  /** Schedules the first trade in each pool; every trade schedules the next. */
  start(): void {
    for (const pool of this.options.pools) this.planNext(pool);
  }

  private planNext(pool: Market): void {
    const { random, everyMs } = this.options;
    this.world.after(random.exponential(everyMs), () => {
      this.trade(pool);
      this.planNext(pool);
    });
  }

  private trade(pool: Market): void {
    const { world } = this;
    const { wallet, path } = this.options;
    const solUsd = path.at(world.nowMs);
    const { ledger } = world.chain;
    const towards = tradeTowards(pool, ledger, rawPriceOf(solUsd));
    const plan =
      towards !== null && worthUsd(towards, solUsd) >= LEAST_USD ? towards : this.usual(solUsd);
    world.send({
      feePayer: wallet,
      computeBudget: COMPUTE_BUDGET,
      build: (execution) => pool.swap(execution, { trader: wallet, minOutRaw: 0n, ...plan }),
    });
  }

  private usual(solUsd: number): TradePlan {
    const { random, wallet } = this.options;
    const usd = Math.max(LEAST_USD, random.logNormal(USUAL_USD, USUAL_SPREAD));
    const { ledger } = this.world.chain;
    const held = (mint: Address) =>
      ledger.token(this.world.tokenAccounts.of(wallet, mint)).amountRaw;
    const usdHeld = Number(held(USDC)) / 1e6;
    const solHeld = Number(held(WRAPPED_SOL)) / 1e9;
    // The richer side pays somewhat more often, so neither runs out.
    const buys = random.chance(usdHeld > solHeld * solUsd ? 0.55 : 0.45);
    return buys
      ? { side: 'buy', amountInRaw: BigInt(Math.round(usd * 1e6)) }
      : { side: 'sell', amountInRaw: BigInt(Math.round((usd / solUsd) * 1e9)) };
  }
}

function worthUsd({ side, amountInRaw }: TradePlan, solUsd: number): number {
  return side === 'buy' ? Number(amountInRaw) / 1e6 : (Number(amountInRaw) / 1e9) * solUsd;
}
