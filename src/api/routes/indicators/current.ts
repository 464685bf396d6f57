/**
 * GET /v1/indicators/current: the current indicators of a pool (specification 2.2, CONTRACT §2.2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { whenKnown } from '../../../lib/awaitable.ts';
import { ApiError } from '../../../model/errors.ts';
import type { Address, Slot } from '../../../model/units.ts';
import type { ApiDeps } from '../../deps.ts';
import { keptSender } from '../../kept/send-kept.ts';
import { isActive, presentCurrentIndicators } from '../../present/current-indicators.ts';
import { NOT_RETAINED_EXAMPLE, setFreshness } from '../../present/freshness.ts';
import { IndicatorsBody } from '../../present/indicators-body.ts';
import { presentSocialScores } from '../../present/present-social.ts';
import type { Wire } from '../../present/wire-record.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { AddressParameter, StateSlotParameter } from '../../schemas/parameters.ts';

type Body = Wire<typeof IndicatorsBody>;

const UNKNOWN_POOL = 'This pool is not known.';

const schema = {
  operationId: 'getCurrentIndicators',
  summary: 'Retrieve the current indicators of a pool',
  description:
    'Returns the indicators of a pool at the newest slot, or at as_of_slot. For a slot before the ' +
    'retained states, returns those of the last stored minute up to it; x-slot is then the slot ' +
    'that they are from. Social figures cover the last hour before the request; they are null ' +
    'with as_of_slot and for tokens whose posts are not collected.',
  tags: ['indicators'],
  querystring: Type.Object({
    pair_address: AddressParameter({ description: 'Pool address.', example: EXAMPLE.pool }),
    as_of_slot: StateSlotParameter,
  }),
  response: {
    200: IndicatorsBody.schema,
    ...errors({ 400: 'pair_address is required.', 404: UNKNOWN_POOL, 422: NOT_RETAINED_EXAMPLE }),
  },
};

export const currentIndicatorsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const sendKept = keptSender(IndicatorsBody.schema);
    app.get('/v1/indicators/current', { schema }, (request, reply) => {
      const { pair_address: pool, as_of_slot: asOfSlot } = request.query;
      if (asOfSlot !== undefined) return ofThen(deps, reply, pool, asOfSlot);
      return whenKnown(deps.pools.withIndicators(pool), (found) => {
        const range = { fromSlot: found?.pool.createdSlot ?? null };
        const { timeMs } = setFreshness(reply, deps, range);
        if (found === null) throw new ApiError(404, UNKNOWN_POOL);
        const body = presentCurrentIndicators(deps, found, timeMs);
        sendKept(request, reply, body, timeMs);
      });
    });
  };

async function ofThen(
  deps: ApiDeps,
  reply: FastifyReply,
  address: Address,
  asOfSlot: Slot,
): Promise<Body> {
  const read = await deps.past.indicators(address, asOfSlot);
  const { slot, timeMs, data } = read;
  const fromSlot = data?.pool?.createdSlot ?? null;
  setFreshness(reply, deps, { fromSlot, toSlot: slot }, read);
  if (data === null) throw new ApiError(404, UNKNOWN_POOL);
  const { pool, indicators } = data;
  const social = presentSocialScores(null, deps.nowMs());
  const createdAtMs = timeMs ?? pool?.updatedAtMs ?? null;
  // A pool was traded in the minute of its stored figures.
  const updatedAtMs = pool === null ? createdAtMs : pool.updatedAtMs;
  const isStillActive = pool === null || isActive(pool, createdAtMs);
  const state = { social, createdAtMs, updatedAtMs, isActive: isStillActive };
  return IndicatorsBody.present(indicators, state);
}
