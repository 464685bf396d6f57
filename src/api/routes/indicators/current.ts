/** GET /v1/indicators/current: the figures of one pool now (specification 2.2, CONTRACT §2.2). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { whenKnown } from '../../../lib/awaitable.ts';
import type { PoolRecord } from '../../../model/derived.ts';
import { ApiError } from '../../../model/errors.ts';
import type { UsdNano } from '../../../model/units.ts';
import type { ApiDeps } from '../../deps.ts';
import { formatMaybeInstant, formatPrice, formatUsd } from '../../format-wire.ts';
import { assertRetained, NOT_RETAINED_EXAMPLE, setFreshness } from '../../freshness.ts';
import {
  badRequest,
  busy,
  COMMON_ERRORS,
  notFound,
  unprocessable,
} from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { IndicatorsBody } from '../../schemas/indicators-body.ts';
import { AddressParameter, AsOfSlotParameter } from '../../schemas/parameters.ts';

/** A pool without a swap for this long is inactive. */
const INACTIVE_AFTER_MS = 24 * 3_600_000;

const schema = {
  operationId: 'getCurrentIndicators',
  summary: 'Current indicators of a pool',
  description: 'Figures of one pool at the newest slot. Fields not computed yet are null.',
  tags: ['indicators'],
  querystring: Type.Object({
    pair_address: AddressParameter({ description: 'Pool address.', example: EXAMPLE.pool }),
    as_of_slot: AsOfSlotParameter,
  }),
  response: {
    200: IndicatorsBody,
    ...COMMON_ERRORS,
    ...badRequest('pair_address is required.'),
    ...notFound('This pool is not known.'),
    ...unprocessable(NOT_RETAINED_EXAMPLE),
    ...busy(),
  },
};

export const currentIndicatorsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/indicators/current', { schema }, (request, reply) =>
      whenKnown(deps.pools.withHolderCount(request.query.pair_address), (found) => {
        const range = { fromSlot: found?.pool.createdSlot ?? null };
        const { slot, timeMs } = setFreshness(reply, deps, range);
        assertRetained(request.query.as_of_slot, slot);
        if (found === null) throw new ApiError(404, 'This pool is not known.');
        return present(found.pool, found.holderCount, timeMs ?? found.pool.updatedAtMs);
      }),
    );
  };

/** `nowMs` is the time of the newest slot: replayed data is judged by its own clock, if it has one. */
function present(
  pool: PoolRecord,
  holderCount: number,
  nowMs: number | null,
): Static<typeof IndicatorsBody> {
  const lastSeenMs = pool.lastSwapMs ?? pool.firstSeenMs;
  const quietMs = nowMs === null || lastSeenMs === null ? 0 : nowMs - lastSeenMs;
  return {
    pair_address: pool.pool,
    token_address: pool.baseMint,
    total_wallets: pool.walletCount,
    organic_wallets: null,
    organic_profitable_wallets: null,
    organic_to_total_wallets_ratio: null,
    bot_to_total_wallets_ratio: null,
    profitable_organic_to_total_organic_ratio: null,
    total_volume_usd: formatUsd(totalVolumeUsd(pool)),
    organic_volume_usd: null,
    bot_volume_ratio: null,
    organic_volume_ratio: null,
    organic_mean_hold_seconds: null,
    organic_mean_trade_frequency_seconds: null,
    smart_money_score: null,
    price_usd: formatPrice(pool.priceUsd),
    social_sentiment_score: null,
    social_blast_radius_score: null,
    status: quietMs > INACTIVE_AFTER_MS ? 'inactive' : 'active',
    attempts: 0,
    created_at: formatMaybeInstant(nowMs),
    updated_at: formatMaybeInstant(pool.updatedAtMs),
    smart_money_influx_10min: null,
    smart_money_outflux_10min: null,
    raw_smart_money_score: null,
    raw_smart_money_influx: null,
    raw_smart_money_outflux: null,
    smart_holders: null,
    raw_holders: holderCount,
    smart_to_raw_holders_ratio: null,
    profitable_volume: null,
    profitable_volume_total_volume_ratio: null,
  };
}

/** Null when less than 0.9 of the quote volume has a known USD value (METHODS §0.4). */
function totalVolumeUsd(pool: PoolRecord): UsdNano | null {
  if (pool.pricedQuoteVolumeRaw * 10n < pool.quoteVolumeRaw * 9n) return null;
  return (pool.buyVolumeUsd + pool.sellVolumeUsd) as UsdNano;
}
