/** POST /v1/batch/prices: the prices of several tokens (CONTRACT §4). */
import { whenKnown } from '../../../lib/awaitable.ts';
import type { PricedToken } from '../../batch-reads.ts';
import { earliestSlot, setFreshness } from '../../present/freshness.ts';
import { PriceBody } from '../../present/price-body.ts';
import { batchRoute } from '../../requests/batch-route.ts';

export const batchPricesRoute = batchRoute<PricedToken>({
  name: 'prices',
  operationId: 'batchPrices',
  summary: 'Retrieve the prices of several tokens',
  description: 'Returns the price and the market cap of each token, and the pool they are from.',
  tag: 'tokens',
  addresses: 'mint',
  item: PriceBody.schema,
  read: (deps, mints, reply) =>
    whenKnown(deps.batches.pricedTokens(mints), (found) => {
      const slots = found.map((one) => one?.token.creationSlot ?? null);
      setFreshness(reply, deps, { fromSlot: earliestSlot(slots) });
      return { found, present: (one) => PriceBody.present(one) };
    }),
});
