/** POST /v1/batch/indicators: the current indicators of several pools (CONTRACT §4). */
import { whenKnown } from '../../../lib/awaitable.ts';
import type { PoolIndicators } from '../../batch-reads.ts';
import { presentCurrentIndicators } from '../../present/current-indicators.ts';
import { earliestSlot, setFreshness } from '../../present/freshness.ts';
import { IndicatorsBody } from '../../present/indicators-body.ts';
import { batchRoute } from '../../requests/batch-route.ts';

export const batchIndicatorsRoute = batchRoute<PoolIndicators>({
  name: 'indicators',
  operationId: 'batchIndicators',
  summary: 'Retrieve the current indicators of several pools',
  description: 'Returns for each pool what /v1/indicators/current does.',
  tag: 'indicators',
  addresses: 'pool',
  item: IndicatorsBody.schema,
  read: (deps, pools, reply) =>
    whenKnown(deps.batches.indicators(pools), (found) => {
      const slots = found.map((one) => one?.pool.createdSlot ?? null);
      const { timeMs } = setFreshness(reply, deps, { fromSlot: earliestSlot(slots) });
      return { found, present: (one) => presentCurrentIndicators(deps, one, timeMs) };
    }),
});
