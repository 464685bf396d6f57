/**
 * GET /v1/token/{token_address}/clones: tokens with the same picture or metadata (extension of
 * CONTRACT §2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { whenKnown } from '../../lib/awaitable.ts';
import { ApiError } from '../../model/errors.ts';
import { CLONE_MATCHES, type ClonePage } from '../../model/off-chain.ts';
import type { Address } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import {
  CLONE_CURSOR_LENGTH_MAX,
  readCloneCursor,
  writeCloneCursor,
} from '../parameters/page-cursor.ts';
import { formatMaybeInstant } from '../present/format-wire.ts';
import { setFreshness } from '../present/freshness.ts';
import { badRequest, busy, COMMON_ERRORS, notFound } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  AddressParameter,
  Defaulted,
  IntegerParameter,
  TextParameter,
} from '../schemas/parameters.ts';
import { AddressText, FRESHNESS_HEADERS, MaybeInstant, Nullable, Word } from '../schemas/wire.ts';

const UNKNOWN_TOKEN = 'This token is not known.';

const Body = Type.Object(
  {
    token_address: AddressText,
    clones: Type.Array(
      Type.Object({
        token_address: AddressText,
        name: Nullable(Type.String()),
        symbol: Nullable(Type.String()),
        creation_slot: Nullable(Type.Integer()),
        created_at: MaybeInstant,
        matches: Type.Array(
          Word(
            CLONE_MATCHES,
            'uri: same metadata URI; document: same content at the URI; picture: similar picture.',
          ),
        ),
        picture_distance: Nullable(
          Type.Integer({
            description:
              'Number of differing bits of the 64-bit picture hashes; null if the match is not ' +
              'by picture.',
          }),
        ),
      }),
      { description: 'Newest first; tokens older than the retained history come last.' },
    ),
    next_cursor: Nullable(
      Type.String({ description: 'Cursor of the next page; null on the last page.' }),
    ),
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
    limit: Defaulted(
      IntegerParameter({
        description: 'Number of tokens per page.',
        minimum: 1,
        maximum: 100,
        default: 20,
      }),
    ),
    cursor: Type.Optional(
      TextParameter({
        description: 'next_cursor of the previous page. Defaults to the first page.',
        maxLength: CLONE_CURSOR_LENGTH_MAX,
      }),
    ),
  }),
  response: {
    200: Body,
    ...COMMON_ERRORS,
    ...badRequest('cursor must be one returned by an earlier page.'),
    ...notFound(UNKNOWN_TOKEN),
    ...busy(),
  },
};

export const clonesRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/token/:token_address/clones', { schema }, (request, reply) => {
      const { limit, cursor } = request.query;
      const after = cursor === undefined ? null : readCloneCursor(cursor);
      const mint = request.params.token_address;
      return whenKnown(deps.tokens.find(mint), (token) => {
        setFreshness(reply, deps, { fromSlot: token?.creationSlot ?? null });
        if (token === null) throw new ApiError(404, UNKNOWN_TOKEN);
        return present(mint, deps.offchain.clones({ mint, after, limit }));
      });
    });
  };

function present(mint: Address, { clones, next }: ClonePage): Static<typeof Body> {
  return {
    token_address: mint,
    clones: clones.map((clone) => ({
      token_address: clone.mint,
      name: clone.name,
      symbol: clone.symbol,
      creation_slot: clone.createdSlot,
      created_at: formatMaybeInstant(clone.createdAtMs),
      matches: [...clone.matches],
      picture_distance: clone.pictureDistance,
    })),
    next_cursor: next === null ? null : writeCloneCursor(next),
  };
}
