/** GET /udf/history: candles as bars of charts (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Candle } from '../../../model/derived.ts';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { CANDLES_DEFAULT, CANDLES_MAX } from '../../parameters/candle-range.ts';
import { RESOLUTION_MS, RESOLUTIONS, UNIX_SECONDS_MAX } from '../../parameters/udf-resolution.ts';
import { presentCandle } from '../../present/present-candle.ts';
import { assertCandleRange, type CandlesRead, readCandles } from '../../requests/read-candles.ts';
import { findUdfSymbol, UNKNOWN_SYMBOL } from '../../requests/udf-symbol.ts';
import { udfErrors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { AddressParameter, ChoiceParameter, IntegerParameter } from '../../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../../schemas/wire.ts';

const Query = Type.Object({
  symbol: AddressParameter({ description: 'Mint or pool address.', example: EXAMPLE.mint }),
  resolution: ChoiceParameter(RESOLUTIONS, {
    description: 'Length of a bar.',
    example: '1',
    invalidStatus: 422,
  }),
  from: Type.Optional(
    IntegerParameter({
      description: `Start in Unix seconds; defaults to ${CANDLES_DEFAULT} bars. Ignored with countback.`,
      minimum: 0,
      maximum: UNIX_SECONDS_MAX,
    }),
  ),
  to: IntegerParameter({
    description: 'End in Unix seconds, exclusive.',
    example: EXAMPLE.unixSeconds,
    minimum: 0,
    maximum: UNIX_SECONDS_MAX,
  }),
  countback: Type.Optional(
    IntegerParameter({
      description:
        'Number of bars before the end. Intervals without trades have none; the bars are those ' +
        `of at most ${CANDLES_MAX} intervals.`,
      minimum: 1,
      maximum: CANDLES_MAX,
    }),
  ),
});

const Numbers = (description: string) => Type.Array(Type.Number(), { description });

const Bars = Type.Object(
  {
    s: Type.Unsafe<'ok'>({ type: 'string', enum: ['ok'] }),
    t: Type.Array(Type.Integer(), { description: 'Start of each bar in Unix seconds, ascending.' }),
    o: Numbers('Opening prices in US dollars.'),
    h: Numbers('Highest prices.'),
    l: Numbers('Lowest prices.'),
    c: Numbers('Closing prices.'),
    v: Numbers('Volumes in US dollars; 0 if unknown, since the protocol has no null.'),
  },
  { title: 'UdfBars' },
);

const NoBars = Type.Object(
  {
    s: Type.Unsafe<'no_data'>({ type: 'string', enum: ['no_data'] }),
    nextTime: Type.Optional(
      Type.Integer({ description: 'Start of the last bar before the range, if there is one.' }),
    ),
  },
  { title: 'UdfNoBars' },
);

const schema = {
  operationId: 'getUdfHistory',
  summary: 'Candles as bars of charts',
  description:
    'The candles of /v1/market/ohlc with the metric price_usd, as numbers: they round to about 16 ' +
    'digits. The range is widened to whole bars.',
  tags: ['charts'],
  querystring: Query,
  response: {
    200: {
      ...Type.Union([Bars, NoBars]),
      description: 'The bars, or that there are none.',
      headers: FRESHNESS_HEADERS,
      examples: [
        {
          s: 'ok',
          t: [1_736_951_400],
          o: [0.000346],
          h: [0.00035],
          l: [0.000346],
          c: [0.000349],
          v: [1_284.47],
        },
      ],
    },
    ...udfErrors({
      400: 'symbol is required.',
      404: UNKNOWN_SYMBOL,
      422: 'from must be before to.',
    }),
  },
};

export const udfHistoryRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/udf/history', { schema }, async (request, reply) => {
      const { query } = request;
      const range = rangeOf(query, query.countback ?? 0);
      assertCandleRange(deps, range);
      if ((await findUdfSymbol(deps, query.symbol)) === null) {
        throw new ApiError(404, UNKNOWN_SYMBOL);
      }
      const { candles, before } = await readBars(deps, reply, query);
      if (candles.length > 0) return toBars(candles);
      if (before === null) return { s: 'no_data' as const };
      const intervalMs = RESOLUTION_MS[query.resolution];
      const openTimeMs = Math.floor(before.openTimeMs / intervalMs) * intervalMs;
      return { s: 'no_data' as const, nextTime: openTimeMs / 1_000 };
    });
  };

/** `intervals`: so many before the end at least, if `countback` is given. */
function rangeOf({ resolution, from, to, countback }: Static<typeof Query>, intervals: number) {
  const intervalMs = RESOLUTION_MS[resolution];
  const endMs = to * 1_000;
  if (countback !== undefined) {
    const alignedEndMs = Math.ceil(endMs / intervalMs) * intervalMs;
    return { startMs: Math.max(0, alignedEndMs - intervals * intervalMs), endMs, intervalMs };
  }
  if (from === undefined) return { startMs: undefined, endMs, intervalMs };
  if (from >= to) throw new ApiError(422, 'from must be before to.');
  return { startMs: from * 1_000, endMs, intervalMs };
}

async function readBars(
  deps: ApiDeps,
  reply: FastifyReply,
  query: Static<typeof Query>,
): Promise<Pick<CandlesRead, 'candles' | 'before'>> {
  const { symbol: scope, countback } = query;
  const read = (intervals: number) =>
    readCandles(deps, reply, {
      scope,
      range: rangeOf(query, intervals),
      view: 'all',
      isFilled: false,
      isPreviousRead: true,
    });
  if (countback === undefined) return await read(0);
  // Most bars are found close to the end; a token that is rarely traded needs the wider range.
  let found = await read(Math.min(CANDLES_MAX, Math.max(CANDLES_DEFAULT, 2 * countback)));
  if (found.candles.length < countback && found.before !== null) found = await read(CANDLES_MAX);
  return { candles: found.candles.slice(-countback), before: found.before };
}

function toBars(candles: readonly Candle[]): Static<typeof Bars> {
  const bars = candles.map((candle) => presentCandle(candle, 'price_usd'));
  return {
    s: 'ok',
    t: candles.map(({ openTimeMs }) => openTimeMs / 1_000),
    o: bars.map(({ open }) => Number(open)),
    h: bars.map(({ high }) => Number(high)),
    l: bars.map(({ low }) => Number(low)),
    c: bars.map(({ close }) => Number(close)),
    v: bars.map(({ volume }) => Number(volume ?? 0)),
  };
}
