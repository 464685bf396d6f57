/** POST /v1/batch/pools: several pools and their trades by window (CONTRACT §4). */
import type { PoolDetail } from '../../../model/market-listing.ts';
import { earliestSlot, setFreshness } from '../../present/freshness.ts';
import { POOL_DETAIL_EXAMPLE, PoolDetailItem } from '../../present/pool-detail-body.ts';
import { batchRoute } from '../../requests/batch-route.ts';

export const batchPoolsRoute = batchRoute<PoolDetail>({
  name: 'pools',
  operationId: 'batchPools',
  summary: 'Retrieve several pools',
  description: 'Returns for each pool what /v1/pools/{pair_address} does.',
  tag: 'market',
  addresses: 'pool',
  item: PoolDetailItem.schema,
  example: POOL_DETAIL_EXAMPLE,
  read: async (deps, pools, reply) => {
    const read = await deps.batches.pools(pools);
    const { data: found, timeMs: nowMs } = read;
    const slots = found.map((one) => one?.pool.createdSlot ?? null);
    setFreshness(reply, deps, { fromSlot: earliestSlot(slots) }, read);
    if (found.some((one) => one?.windows === null)) reply.header('x-complete', 'false');
    return { found, present: (one) => PoolDetailItem.present(one, { nowMs }) };
  },
});
