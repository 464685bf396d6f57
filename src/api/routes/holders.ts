/** GET /v1/token/{token_address}/holders: all holders of a token, page by page (CONTRACT §2, beyond). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ADDRESS_CLASSES } from '../../model/address-registry.ts';
import type { TokenRecord } from '../../model/derived.ts';
import { ApiError } from '../../model/errors.ts';
import type { HolderPage, ListedHolder } from '../../model/holder-page.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { ApiDeps } from '../deps.ts';
import {
  HOLDER_CURSOR_LENGTH_MAX,
  readHolderCursor,
  writeHolderCursor,
} from '../parameters/holder-cursor.ts';
import { formatMaybeInstant, formatTokens } from '../present/format-wire.ts';
import { assertRetained, setFreshness } from '../present/freshness.ts';
import {
  badRequest,
  busy,
  COMMON_ERRORS,
  notFound,
  unprocessable,
} from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  AddressParameter,
  AsOfSlotParameter,
  Defaulted,
  IntegerParameter,
  TextParameter,
} from '../schemas/parameters.ts';
import {
  AddressText,
  DecimalText,
  FRESHNESS_HEADERS,
  MaybeInstant,
  Nullable,
} from '../schemas/wire.ts';

const PAGE_MAX = 1_000;
const UNKNOWN_TOKEN = 'This token is not known.';
const NOT_KEPT = 'Holders of SOL and of stablecoins are not kept: others are paid in them.';

const KINDS = ['wallet', 'hub', ...ADDRESS_CLASSES] as const satisfies readonly Kind[];
type Kind = ListedHolder['holderKind'];

const Body = Type.Object(
  {
    token_address: AddressText,
    count: Type.Integer({
      description: 'Of all holders, without pools, lockers and burn addresses.',
    }),
    holders: Type.Array(
      Type.Object({
        holder_address: AddressText,
        balance: Nullable(DecimalText('Whole tokens; null while the decimals are unknown.')),
        kind: Type.Unsafe<Kind>({
          type: 'string',
          enum: [...KINDS],
          description: 'What the holder is known to be; a wallet where nothing else is known.',
        }),
        created_at: MaybeInstant,
      }),
      { description: 'Largest first, among equals by address. Dust is no holding.' },
    ),
    next_cursor: Nullable(Type.String({ description: 'Of the next page; null at the end.' })),
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
  summary: 'Holders of a token',
  description:
    'All holders, largest first, pools, lockers and burn addresses named. A cursor is a place in ' +
    'the order and not a number of rows: holders that come or leave before it shift nothing. Each ' +
    'page is true as of the slot in x-slot.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({
    limit: Defaulted(
      IntegerParameter({
        description: 'Holders of a page.',
        minimum: 1,
        maximum: PAGE_MAX,
        default: 100,
      }),
    ),
    cursor: Type.Optional(
      TextParameter({
        description: 'next_cursor of the page before; the largest holders when left out.',
        maxLength: HOLDER_CURSOR_LENGTH_MAX,
      }),
    ),
    as_of_slot: AsOfSlotParameter,
  }),
  response: {
    200: Body,
    ...COMMON_ERRORS,
    ...badRequest('cursor must be one that an earlier page gave.'),
    ...notFound(UNKNOWN_TOKEN),
    ...unprocessable(NOT_KEPT),
    ...busy(),
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
      return present(found.token, found.page);
    });
  };

function present(
  { mint, decimals }: TokenRecord,
  { holders, count, next }: HolderPage,
): Static<typeof Body> {
  return {
    token_address: mint,
    count,
    holders: holders.map(({ owner, balanceRaw, holderKind, firstSeenMs }) => ({
      holder_address: owner,
      balance: formatTokens(balanceRaw, decimals),
      kind: holderKind,
      created_at: formatMaybeInstant(firstSeenMs),
    })),
    next_cursor: next === null ? null : writeHolderCursor(next),
  };
}
