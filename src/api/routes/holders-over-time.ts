/** GET /v1/token/{token_address}/holders-over-time: number of holders by time (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import type { HolderCount } from '../../model/holder-counts.ts';
import type { ApiDeps } from '../deps.ts';
import { setFreshness } from '../present/freshness.ts';
import { HISTORY_INTERVALS } from '../present/indicator-history-body.ts';
import { address, instant, integer, list, plain, word } from '../present/wire-kinds.ts';
import { wireRecord } from '../present/wire-record.ts';
import { HISTORY_PARAMETERS, historyRange, REVERSED_HISTORY } from '../requests/history-range.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressParameter } from '../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';

const UNKNOWN_TOKEN = 'This token is not known.';

const Point = wireRecord<HolderCount>()({
  timestamp: [instant, 'openMs', 'Start of the bucket.'],
  holders: [
    integer,
    'holders',
    'Holders at the end of the bucket, excluding pools, burn addresses and dust.',
  ],
  slot: [integer, 'slot', 'Slot of the count: the last in which a pool of the token was traded.'],
});

interface Echo {
  readonly mint: (typeof EXAMPLE)['mint'] | string;
  readonly interval: (typeof HISTORY_INTERVALS)[number];
}

const Body = wireRecord<readonly HolderCount[], Echo>()(
  {
    token_address: [plain(address.schema), (_, { mint }) => mint],
    interval: [word(HISTORY_INTERVALS), (_, { interval }) => interval],
    count: [integer, 'length', 'Number of data points.'],
    data_points: [list(Point), (counts) => counts, 'Oldest first.'],
  },
  {
    description: 'Holders of the token over time.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        token_address: EXAMPLE.mint,
        interval: '1h',
        count: 1,
        data_points: [{ timestamp: '2025-01-15T14:00:00.000Z', holders: 846, slot: EXAMPLE.slot }],
      },
    ],
  },
);

const schema = {
  operationId: 'getHoldersOverTime',
  summary: 'Retrieve the number of holders over time',
  description:
    'Returns one data point for each bucket in which a pool of the token was traded: the number of ' +
    'holders at the last such minute. Buckets without a trade are omitted. Of a token with many ' +
    'pools, the 8 that were seen first and the one that prices it are read.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object(HISTORY_PARAMETERS),
  response: {
    200: Body.schema,
    ...errors({ 400: 'from is required.', 404: UNKNOWN_TOKEN, 422: REVERSED_HISTORY }),
  },
};

export const holdersOverTimeRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/token/:token_address/holders-over-time', { schema }, async (request, reply) => {
      const nowMs = deps.chain.freshness({ isStored: true }).timeMs ?? deps.nowMs();
      const range = historyRange(request.query, nowMs);
      const mint = request.params.token_address;
      const token = await deps.tokens.find(mint);
      const read = token === null ? null : await deps.tokens.holderCounts({ mint, ...range });
      const { fromMs, toMs } = range;
      setFreshness(reply, deps, { fromMs, toMs, isStored: true }, read);
      if (read === null) throw new ApiError(404, UNKNOWN_TOKEN);
      return Body.present(read.data, { mint, interval: request.query.interval });
    });
  };
