/** GET /v1/market-data/ws: stream of the pools changed by each slot (CONTRACT §3). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { DEX_NAME_OF_VENUE } from '../../../model/program.ts';
import type { PoolBlock } from '../../../model/streamed.ts';
import type { ApiDeps } from '../../deps.ts';
import { formatMaybeInstant } from '../../present/format-wire.ts';
import { dexNameOf, presentStreamedPool } from '../../present/present-pool-block.ts';
import { errorBodies } from '../../schemas/error-responses.ts';
import { ListParameter } from '../../schemas/parameters.ts';
import type { Entry } from '../../stream-source.ts';
import { encodedOnce, encodeGap, encodeText } from '../../streams/message-text.ts';
import type { Encoded } from '../../streams/stream-client.ts';
import { STREAM_ANSWERS, STREAM_QUERY } from '../../streams/stream-parameters.ts';

const DEX_NAMES = Object.values(DEX_NAME_OF_VENUE);

const schema = {
  operationId: 'streamMarketData',
  summary: 'Stream changed pools (WebSocket)',
  description:
    'Sends {"block_number","timestamp","pools":[…],"seq"} for each slot that changed pools. ' +
    'After a fork, the pools of reverted slots are sent again with the next slot, in their ' +
    'state at that slot.',
  tags: ['market'],
  querystring: Type.Object({
    ...STREAM_QUERY,
    'dex-name': Type.Optional(
      ListParameter(DEX_NAMES, { description: 'Return only pools of these programs.' }),
    ),
  }),
  response: {
    ...STREAM_ANSWERS,
    ...errorBodies({ 422: `dex-name must be a comma-separated list of ${DEX_NAMES.join(', ')}.` }),
  },
};

export const marketDataSocketRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const encodeAll = encodedOnce(writeBlock);
    app.get('/v1/market-data/ws', { schema, exposeHeadRoute: false }, async (request, reply) => {
      const { since = null, 'dex-name': dexNames } = request.query;
      const encode = dexNames === undefined ? encodeAll : encodeOnly(new Set(dexNames));
      const source = deps.streams.marketData;
      app.webSockets.open(request, reply, { source, since, encode, encodeGap, greeting: null });
    });
  };

function encodeOnly(
  dexNames: ReadonlySet<string>,
): (entry: Entry<PoolBlock>) => readonly Encoded<Uint8Array>[] {
  return ({ item, seq }) => {
    const pools = item.pools.filter((pool) => dexNames.has(dexNameOf(pool)));
    return pools.length === 0 ? [] : [encodeText(writeBlock({ ...item, pools }, seq))];
  };
}

function writeBlock({ slot, timeMs, solUsd, pools }: PoolBlock, seq: number): string {
  return JSON.stringify({
    block_number: slot,
    timestamp: formatMaybeInstant(timeMs),
    pools: pools.map((pool) => presentStreamedPool(pool, solUsd)),
    seq,
  });
}
