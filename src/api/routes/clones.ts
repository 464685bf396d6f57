/**
 * GET /v1/token/{token_address}/clones: tokens with the same picture or metadata (extension of
 * CONTRACT §2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { whenKnown } from '../../lib/awaitable.ts';
import { ApiError } from '../../model/errors.ts';
import { CLONE_MATCHES, type ClonePage, type TokenClone } from '../../model/off-chain.ts';
import type { Address } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { CLONE_CURSOR } from '../parameters/list-cursors.ts';
import { setFreshness } from '../present/freshness.ts';
import { pictureUrl, pictureUrlKind } from '../present/picture-url.ts';
import {
  address,
  described,
  integer,
  list,
  maybeInstant,
  nullable,
  text,
  word,
} from '../present/wire-kinds.ts';
import { wireRecord } from '../present/wire-record.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressParameter, CursorParameter, PageLimitParameter } from '../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';

const UNKNOWN_TOKEN = 'This token is not known.';

const Clone = wireRecord<TokenClone>()({
  token_address: [address, 'mint'],
  name: [nullable(text), 'name'],
  symbol: [nullable(text), 'symbol'],
  creation_slot: [nullable(integer), 'createdSlot'],
  created_at: [maybeInstant, 'createdAtMs'],
  matches: [
    list(
      described(
        word(CLONE_MATCHES),
        'uri: same metadata URI; document: same content at the URI; picture: similar picture.',
      ),
    ),
    'matches',
  ],
  picture_distance: [
    nullable(integer),
    'pictureDistance',
    'Number of differing bits of the 64-bit picture hashes; null if the match is not by picture.',
  ],
  picture_url: [pictureUrlKind, ({ mint, thumbnailHash }) => pictureUrl(mint, thumbnailHash)],
});

const Body = wireRecord<ClonePage, Address>()(
  {
    token_address: [address, (_, mint) => mint],
    clones: [
      list(Clone),
      'clones',
      'Newest first; tokens older than the retained history come last.',
    ],
    next_cursor: [
      nullable(text),
      ({ next }, mint) => next && CLONE_CURSOR.write(next, { mint }),
      'Cursor of the next page; null on the last page.',
    ],
  },
  {
    description: 'One page of similar tokens.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        token_address: EXAMPLE.mint,
        clones: [
          {
            token_address: EXAMPLE.creator,
            name: 'Example',
            symbol: 'EXMP',
            creation_slot: EXAMPLE.slot,
            created_at: EXAMPLE.instant,
            matches: ['picture'],
            picture_distance: 2,
            picture_url: pictureUrl(EXAMPLE.creator, EXAMPLE.thumbnailHash),
          },
        ],
        next_cursor: null,
      },
    ],
  },
);

const schema = {
  operationId: 'getTokenClones',
  summary: 'Tokens that look like this token',
  description:
    'Returns other tokens with the same metadata URI, the same document at the URI, or a ' +
    'picture whose 64-bit hash differs in at most 6 bits. The response does not say which ' +
    'token is the original. Empty while no off-chain data is known for the token.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({
    limit: PageLimitParameter,
    cursor: CursorParameter,
  }),
  response: {
    200: Body.schema,
    ...errors({ 400: 'cursor must be one returned by an earlier page.', 404: UNKNOWN_TOKEN }),
  },
};

export const clonesRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/token/:token_address/clones', { schema }, (request, reply) => {
      const { limit, cursor } = request.query;
      const mint = request.params.token_address;
      const after = CLONE_CURSOR.read(cursor, { mint });
      return whenKnown(deps.tokens.find(mint), (token) => {
        setFreshness(reply, deps, { fromSlot: token?.creationSlot ?? null });
        if (token === null) throw new ApiError(404, UNKNOWN_TOKEN);
        return Body.present(deps.offchain.clones({ mint, after, limit }), mint);
      });
    });
  };
