/**
 * GET /v1/indicators/current: the current indicators of a pool (specification 2.2, CONTRACT §2.2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { type Awaitable, whenKnown } from '../../../lib/awaitable.ts';
import { ApiError } from '../../../model/errors.ts';
import type { PoolRecord } from '../../../model/pool-record.ts';
import type { Address, Slot } from '../../../model/units.ts';
import type { ApiDeps } from '../../deps.ts';
import { NOT_RETAINED_EXAMPLE, notRetained, setFreshness } from '../../present/freshness.ts';
import { IndicatorsBody } from '../../present/indicators-body.ts';
import { presentSocialScores } from '../../present/present-social.ts';
import type { Wire } from '../../present/wire-record.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { AddressParameter, AsOfSlotParameter } from '../../schemas/parameters.ts';

type Body = Wire<typeof IndicatorsBody>;

/** A pool without a swap for this long is inactive. */
const INACTIVE_AFTER_MS = 24 * 3_600_000;
const UNKNOWN_POOL = 'This pool is not known.';

const schema = {
  operationId: 'getCurrentIndicators',
  summary: 'Retrieve the current indicators of a pool',
  description:
    'Returns the indicators of a pool at the newest slot. With as_of_slot, returns those of the ' +
    'last complete minute at that slot; x-slot is the slot they are from. Social figures ' +
    'cover the last hour before the request; they are null with as_of_slot and for tokens ' +
    'whose posts are not collected.',
  tags: ['indicators'],
  querystring: Type.Object({
    pair_address: AddressParameter({ description: 'Pool address.', example: EXAMPLE.pool }),
    as_of_slot: AsOfSlotParameter,
  }),
  response: {
    200: IndicatorsBody.schema,
    ...errors({ 400: 'pair_address is required.', 404: UNKNOWN_POOL, 422: NOT_RETAINED_EXAMPLE }),
  },
};

export const currentIndicatorsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/indicators/current', { schema }, (request, reply) => {
      const { pair_address: pool, as_of_slot: asOfSlot } = request.query;
      const newest = deps.chain.freshness().slot;
      return asOfSlot === undefined || newest === null || asOfSlot >= newest
        ? ofNow(deps, reply, pool)
        : ofThen(deps, reply, pool, asOfSlot);
    });
  };

function ofNow(deps: ApiDeps, reply: FastifyReply, address: Address): Awaitable<Body> {
  return whenKnown(deps.pools.withIndicators(address), (found) => {
    const range = { fromSlot: found?.pool.createdSlot ?? null };
    const { timeMs } = setFreshness(reply, deps, range);
    if (found === null) throw new ApiError(404, UNKNOWN_POOL);
    const { pool, indicators } = found;
    const nowMs = timeMs ?? pool.updatedAtMs;
    const tracked = deps.social.tracked(indicators.baseMint);
    const social = presentSocialScores(tracked, deps.nowMs());
    return IndicatorsBody.present(indicators, {
      social,
      createdAtMs: nowMs,
      updatedAtMs: pool.updatedAtMs,
      isActive: isActive(pool, nowMs),
    });
  });
}

async function ofThen(
  deps: ApiDeps,
  reply: FastifyReply,
  address: Address,
  asOfSlot: Slot,
): Promise<Body> {
  const pool = await deps.pools.find(address);
  const record = pool === null ? null : await deps.indicators.atSlot(address, asOfSlot);
  const fromSlot = pool?.createdSlot ?? null;
  setFreshness(reply, deps, { fromSlot, toSlot: record?.slot ?? asOfSlot, isStored: true });
  if (pool === null) throw new ApiError(404, UNKNOWN_POOL);
  if (record === null) throw new ApiError(422, notRetained(asOfSlot + 1));
  // The pool was traded in the minute of these figures.
  const { createdAtMs } = record;
  const social = presentSocialScores(null, deps.nowMs());
  const state = { social, createdAtMs, updatedAtMs: createdAtMs, isActive: true };
  return IndicatorsBody.present(record, state);
}

/** Relative to the time of the newest slot, so that replayed data is judged by its own clock. */
function isActive({ lastSwapMs, firstSeenMs }: PoolRecord, nowMs: number | null): boolean {
  const lastSeenMs = lastSwapMs ?? firstSeenMs;
  return nowMs === null || lastSeenMs === null || nowMs - lastSeenMs <= INACTIVE_AFTER_MS;
}
