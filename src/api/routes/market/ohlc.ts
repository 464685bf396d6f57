/** GET /v1/market/ohlc: candles of a token or one of its pools (specification 4.4, CONTRACT §2.4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { mapInTurns } from '../../../lib/map-in-turns.ts';
import type { Candle } from '../../../model/derived.ts';
import { ApiError } from '../../../model/errors.ts';
import type { Address } from '../../../model/units.ts';
import type { ApiDeps } from '../../deps.ts';
import { CANDLE_INTERVALS, INTERVAL_MS } from '../../parameters/candle-interval.ts';
import { type CandleRange, resolveCandleRange } from '../../parameters/candle-range.ts';
import { fillCandles } from '../../present/fill-candles.ts';
import { setFreshness } from '../../present/freshness.ts';
import { presentCandle } from '../../present/present-candle.ts';
import {
  badRequest,
  busy,
  COMMON_ERRORS,
  notFound,
  unprocessable,
} from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { OhlcBody } from '../../schemas/ohlc-body.ts';
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
      description: 'One pool of the token; all of them when left out.',
      example: EXAMPLE.pool,
    }),
  ),
  start: Type.Optional(
    InstantParameter({
      description: 'The first candle is the one this lies in; 500 candles before the end.',
    }),
  ),
  end: Type.Optional(
    InstantParameter({ description: 'Candles that open before this; the newest by default.' }),
  ),
  interval: Defaulted(
    ChoiceParameter(CANDLE_INTERVALS, {
      description: 'Length of a candle.',
      default: '5m',
      invalidStatus: 422,
    }),
  ),
  metric: Defaulted(
    ChoiceParameter(['price_usd', 'marketcap_usd'], {
      description: 'What open, high, low, close and vwap measure.',
      default: 'price_usd',
      invalidStatus: 422,
    }),
  ),
  fill: Defaulted(
    ChoiceParameter(['none', 'previous'], {
      description: 'previous adds flat candles at the last close where nothing was traded.',
      default: 'none',
      invalidStatus: 422,
    }),
  ),
  view: Defaulted(
    ChoiceParameter(['all', 'organic'], {
      description:
        'Whose trades count: all, or those of people, without bots, wash trades and arbitrage.',
      default: 'all',
      invalidStatus: 422,
    }),
  ),
});

const schema = {
  operationId: 'getOhlc',
  summary: 'Candles of a token',
  description:
    'At most 10,000 candles, oldest first; buckets without trades are left out unless fill asks ' +
    'for them. A token counts the volume of all its pools and takes prices from its primary pool. ' +
    'Now is the time of the newest slot held.',
  tags: ['market'],
  querystring: Query,
  response: {
    200: OhlcBody,
    ...COMMON_ERRORS,
    ...badRequest('token_address is required.'),
    ...notFound('This token is not known.'),
    ...unprocessable('start must be before end.'),
    ...busy(),
  },
};

export const ohlcRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/market/ohlc', { schema }, async (request, reply) => {
      const { query } = request;
      const nowMs = deps.chain.freshness().timeMs ?? deps.nowMs();
      const range = toRange(query, nowMs);
      setFreshness(reply, deps, range);
      await assertKnown(deps, query.token_address, query.pair_address);
      const candles = await readCandles(deps, query, range, nowMs);
      const present = (candle: Candle) => presentCandle(candle, query.metric);
      return { timeframes: { [query.interval]: await mapInTurns(candles, present) } };
    });
  };

function toRange(query: Static<typeof Query>, nowMs: number): CandleRange {
  const intervalMs = INTERVAL_MS[query.interval];
  return resolveCandleRange({ startMs: query.start, endMs: query.end, intervalMs, nowMs });
}

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

async function readCandles(
  { candles }: ApiDeps,
  query: Static<typeof Query>,
  range: CandleRange,
  nowMs: number,
): Promise<readonly Candle[]> {
  const scope = query.pair_address ?? query.token_address;
  const { view } = query;
  const intervalMs = INTERVAL_MS[query.interval];
  const traded = await candles.read({ scope, ...range, intervalMs, view });
  if (query.fill === 'none') return traded;
  const before = await candles.lastBefore(scope, range.fromMs, view);
  // What has not happened yet is not filled.
  const knownToMs = Math.min(range.toMs, nowMs + 1);
  return fillCandles(traded, before, { fromMs: range.fromMs, toMs: knownToMs }, intervalMs);
}
