import { USDC, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { World } from '../market/world.ts';
import { ensureTokenAccount, unwrapLamports, wrapLamports } from '../programs/associated-token.ts';
import type { Market } from '../venues/market.ts';
import { purchaseOrder, saleOrder } from './orders.ts';
import type { ScenarioContext } from './scenario.ts';
import { pause, type Script } from './script.ts';
import { land, type PlainOrder } from './sending.ts';

const PAST_TRADES_MAX = 3;
const PAST_BUY = { least: 10_000_000, most: 60_000_000 } as const;
const PAST_HOLD_MS = { least: 1_500, most: 25_000 } as const;
/** Number of newest launches from which a token to trade is chosen. */
const RECENT_LAUNCHES = 50;

/** A few small trades of other tokens, as in a wallet with a history. */
export function* tradeElsewhere(context: ScenarioContext, wallet: Address, not: Address): Script {
  const { world, random } = context;
  for (let left = 1 + random.below(PAST_TRADES_MAX); left > 0; left--) {
    const market = otherMarket(context, not);
    if (market === null) return;
    const lamports = BigInt(PAST_BUY.least + random.below(PAST_BUY.most - PAST_BUY.least));
    if (market.baseMint === WRAPPED_SOL) yield* land(world, exchangeSol(world, market, wallet));
    else {
      yield* land(world, purchaseOrder(context, { trader: wallet, market, lamports }));
      yield* pause(world, random.within(PAST_HOLD_MS));
      yield* land(world, saleOrder(context, { trader: wallet, market, share: 1, closes: true }));
    }
    yield* pause(world, random.within(PAST_HOLD_MS));
  }
}

/** A pool of an earlier launch, otherwise one of SOL itself; null if there is neither. */
function otherMarket({ world, random }: ScenarioContext, not: Address): Market | null {
  const launches = world.truth.launches.slice(-RECENT_LAUNCHES).filter(({ mint }) => mint !== not);
  const market = launches.length === 0 ? null : world.openMarketOf(random.pick(launches).mint);
  return market ?? world.openMarketOf(WRAPPED_SOL);
}

/** Exchanges a little SOL for dollars. */
function exchangeSol(world: World, market: Market, trader: Address): PlainOrder {
  const { tokenAccounts } = world;
  return {
    feePayer: trader,
    computeBudget: { unitLimit: 250_000, priceMicroLamports: 10_000n },
    build(execution) {
      const amountInRaw = BigInt(PAST_BUY.least);
      wrapLamports(execution, tokenAccounts, trader, amountInRaw);
      ensureTokenAccount(execution, tokenAccounts, trader, trader, USDC);
      market.swap(execution, { trader, side: 'sell', amountInRaw, minOutRaw: 1n });
      unwrapLamports(execution, tokenAccounts, trader);
    },
  };
}
