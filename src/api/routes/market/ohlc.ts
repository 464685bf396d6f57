/**
 * GET /v1/market/ohlc: candles of a token or of one of its pools (specification 4.4, CONTRACT
 * §2.4).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { mapInTurns } from '../../../lib/map-in-turns.ts';
import type { Candle } from '../../../model/derived.ts';
import { ApiError } from '../../../model/errors.ts';
import type { Address } from '../../../model/units.ts';
import type { ApiDeps } from '../../deps.ts';
import { CANDLE_INTERVALS, INTERVAL_MS } from '../../parameters/candle-interval.ts';
import { OhlcBody, presentCandle } from '../../present/present-candle.ts';
import { assertCandleRange, readCandles } from '../../requests/read-candles.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  Defaulted,
  InstantParameter,
} from '../../schemas/parameters.ts';

const Query = Type.Object({
  token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  pair_address: Type.Optional(
    AddressParameter({
      description: 'A pool of the token. Defaults to all pools.',
      example: EXAMPLE.pool,
    }),
  ),
  start: Type.Optional(
    InstantParameter({
      description:
        'Start of the range: the candle that contains this time. Defaults to 500 candles.',
    }),
  ),
  end: Type.Optional(
    InstantParameter({ description: 'End of the range, exclusive. Defaults to now.' }),
  ),
  interval: Defaulted(
    ChoiceParameter(CANDLE_INTERVALS, {
      description: 'Candle interval.',
      default: '5m',
      invalidStatus: 422,
    }),
  ),
  metric: Defaulted(
    ChoiceParameter(['price_usd', 'marketcap_usd'], {
      description: 'Metric of open, high, low, close and vwap.',
      default: 'price_usd',
      invalidStatus: 422,
    }),
  ),
  fill: Defaulted(
    ChoiceParameter(['none', 'previous'], {
      description: 'previous fills intervals without trades with flat candles at the last close.',
      default: 'none',
      invalidStatus: 422,
    }),
  ),
  view: Defaulted(
    ChoiceParameter(['all', 'organic'], {
      description: 'Trades to include: all, or organic to exclude bots, wash trades and arbitrage.',
      default: 'all',
      invalidStatus: 422,
    }),
  ),
});

const schema = {
  operationId: 'getOhlc',
  summary: 'Retrieve candles of a token',
  description:
    'Returns at most 10,000 candles, oldest first. Intervals without trades are omitted unless ' +
    'fill is set, and intervals before the first price always. For a token, volume is summed over all its pools and prices are those of ' +
    'its primary pool. Now is the time of the newest slot.',
  tags: ['market'],
  querystring: Query,
  response: {
    200: OhlcBody,
    ...errors({
      400: 'token_address is required.',
      404: 'This token is not known.',
      422: 'start must be before end.',
    }),
  },
};

export const ohlcRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/market/ohlc', { schema }, async (request, reply) => {
      const { query } = request;
      const { interval, view, fill, start: startMs, end: endMs } = query;
      const scope = query.pair_address ?? query.token_address;
      const intervalMs = INTERVAL_MS[interval];
      const range = { startMs, endMs, intervalMs };
      const isPool = query.pair_address !== undefined;
      const candleRequest = { scope, isPool, range, view, isFilled: fill === 'previous' };
      assertCandleRange(deps, range);
      await assertKnown(deps, query.token_address, query.pair_address);
      const { candles } = await readCandles(deps, reply, candleRequest);
      const present = (candle: Candle) => presentCandle(candle, query.metric);
      return { timeframes: { [query.interval]: await mapInTurns(candles, present) } };
    });
  };

async function assertKnown(
  { tokens, pools }: ApiDeps,
  mint: Address,
  pool: Address | undefined,
): Promise<void> {
  if ((await tokens.find(mint)) === null) throw new ApiError(404, 'This token is not known.');
  if (pool !== undefined && (await pools.find(pool))?.baseMint !== mint) {
    throw new ApiError(404, 'This token has no such pool.');
  }
}
