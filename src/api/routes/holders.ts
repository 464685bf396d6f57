/**
 * GET /v1/token/{token_address}/holders: all holders of a token, paginated (extension of CONTRACT
 * §2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ADDRESS_CLASSES } from '../../model/address-registry.ts';
import { ApiError } from '../../model/errors.ts';
import type { HolderPage, ListedHolder } from '../../model/holder-page.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { ApiDeps } from '../deps.ts';
import {
  HOLDER_CURSOR_LENGTH_MAX,
  readHolderCursor,
  writeHolderCursor,
} from '../parameters/page-cursor.ts';
import { assertRetained, setFreshness } from '../present/freshness.ts';
import {
  address,
  integer,
  maybeInstant,
  nullable,
  plain,
  text,
  tokens,
  word,
} from '../present/wire-kinds.ts';
import { wireRecord } from '../present/wire-record.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  AddressParameter,
  AsOfSlotParameter,
  Defaulted,
  IntegerParameter,
  TextParameter,
} from '../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';

const PAGE_MAX = 1_000;
const UNKNOWN_TOKEN = 'This token is not known.';
const NOT_KEPT = 'Holders of SOL and stablecoins are not tracked.';

const KINDS = ['wallet', 'hub', ...ADDRESS_CLASSES] as const satisfies readonly Kind[];
type Kind = ListedHolder['holderKind'];

const Holder = wireRecord<ListedHolder, TokenRecord['decimals']>()({
  holder_address: [address, 'owner'],
  balance: [tokens, 'balanceRaw', 'Balance in whole tokens; null if the decimals are unknown.'],
  kind: [word(KINDS), 'holderKind', 'Known class of the holder; wallet if nothing else is known.'],
  created_at: [maybeInstant, 'firstSeenMs'],
});

const Body = wireRecord<HolderPage, TokenRecord>()(
  {
    token_address: [address, (_, { mint }) => mint],
    count: [integer, 'count', 'Number of holders, excluding pools, lockers and burn addresses.'],
    holders: [
      plain(Type.Array(Holder.schema)),
      ({ holders }, { decimals }) => holders.map((holder) => Holder.present(holder, decimals)),
      'Largest balance first; ties by address. Dust balances are excluded.',
    ],
    next_cursor: [
      nullable(text),
      ({ next }) => next && writeHolderCursor(next),
      'Cursor of the next page; null on the last page.',
    ],
  },
  {
    description: 'One page of holders.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        token_address: EXAMPLE.mint,
        count: 846,
        holders: [
          {
            holder_address: EXAMPLE.pool,
            balance: '206900000.000000',
            kind: 'pool',
            created_at: EXAMPLE.instant,
          },
        ],
        next_cursor: null,
      },
    ],
  },
);

const schema = {
  operationId: 'getTokenHolders',
  summary: 'List the holders of a token',
  description:
    'Returns all holders by descending balance, including labelled pools, lockers and burn ' +
    'addresses. A cursor is a position in the order, not a row offset, so new or departing ' +
    'holders do not shift later pages. Each page is accurate as of the slot in x-slot.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({
    limit: Defaulted(
      IntegerParameter({
        description: 'Number of holders per page.',
        minimum: 1,
        maximum: PAGE_MAX,
        default: 100,
      }),
    ),
    cursor: Type.Optional(
      TextParameter({
        description: 'next_cursor of the previous page. Defaults to the first page.',
        maxLength: HOLDER_CURSOR_LENGTH_MAX,
      }),
    ),
    as_of_slot: AsOfSlotParameter,
  }),
  response: {
    200: Body.schema,
    ...errors({
      400: 'cursor must be one returned by an earlier page.',
      404: UNKNOWN_TOKEN,
      422: NOT_KEPT,
    }),
  },
};

export const holdersRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/token/:token_address/holders', { schema }, async (request, reply) => {
      const { limit, cursor, as_of_slot: asOfSlot } = request.query;
      const after = cursor === undefined ? null : readHolderCursor(cursor);
      const mint = request.params.token_address;
      if (isQuoteMint(mint)) throw new ApiError(422, NOT_KEPT);
      const found = await deps.tokens.holderPage({ mint, after, limit });
      const fromSlot = found?.token.creationSlot ?? null;
      assertRetained(asOfSlot, setFreshness(reply, deps, { fromSlot }).slot);
      if (found === null) throw new ApiError(404, UNKNOWN_TOKEN);
      return Body.present(found.page, found.token);
    });
  };
