import type { Address } from '../../src/model/units.ts';
import { heldOf, type Purchase, purchaseOrder, type Sale, saleOrder } from './orders.ts';
import type { ScenarioContext } from './scenario.ts';
import type { Script } from './script.ts';
import { land } from './sending.ts';
import { openMarket } from './staged-token.ts';

/** Buys a token where it currently trades; does nothing if no pool opens. */
export function* buyToken(
  context: ScenarioContext,
  mint: Address,
  purchase: Omit<Purchase, 'market'>,
): Script {
  const market = yield* openMarket(context, mint);
  if (market === null) return;
  yield* land(context.world, purchaseOrder(context, { ...purchase, market }));
}

/** Sells a share of the trader's tokens where they currently trade, if it holds any. */
export function* sellToken(
  context: ScenarioContext,
  mint: Address,
  sale: Omit<Sale, 'market'>,
): Script {
  const market = yield* openMarket(context, mint);
  if (market === null || heldOf(context, sale.trader, mint) === 0n) return;
  yield* land(context.world, saleOrder(context, { ...sale, market }));
}
