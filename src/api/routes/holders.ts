/**
 * GET /v1/token/{token_address}/holders: all holders of a token, paginated (extension of CONTRACT
 * §2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ADDRESS_CLASSES } from '../../model/address-registry.ts';
import type { AsOf } from '../../model/as-of.ts';
import { ApiError } from '../../model/errors.ts';
import type { HolderPage, HolderPageQuery, ListedHolder } from '../../model/holder-page.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { Slot } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { HOLDER_CURSOR } from '../parameters/list-cursors.ts';
import { formatTokens } from '../present/format-wire.ts';
import { setFreshness } from '../present/freshness.ts';
import { STANDING_FIELDS, shareOfSupply } from '../present/standing-body.ts';
import {
  address,
  decimal,
  integer,
  maybeInstant,
  nullable,
  plain,
  text,
  word,
} from '../present/wire-kinds.ts';
import { wireRecord } from '../present/wire-record.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  AddressParameter,
  CursorParameter,
  PageLimitParameter,
  StateSlotParameter,
} from '../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import type { TokenHolderPage } from '../token-reads.ts';

const UNKNOWN_TOKEN = 'This token is not known.';
const NOT_KEPT = 'Holders of SOL and stablecoins are not tracked.';

const KINDS = ['wallet', 'hub', ...ADDRESS_CLASSES] as const satisfies readonly Kind[];
type Kind = ListedHolder['holderKind'];

const Holder = wireRecord<ListedHolder, TokenRecord>()({
  holder_address: [address, 'owner'],
  balance: [
    nullable(decimal),
    ({ balanceRaw }, { decimals }) => formatTokens(balanceRaw, decimals),
    'Balance in whole tokens; null if the decimals are unknown.',
  ],
  kind: [word(KINDS), 'holderKind', 'Known class of the holder; wallet if nothing else is known.'],
  created_at: [maybeInstant, 'firstSeenMs'],
  share_of_supply: [
    nullable(decimal),
    ({ balanceRaw }, token) => shareOfSupply(balanceRaw, token),
    'Share of the supply from 0 to 1, with four decimals; null if the supply is unknown.',
  ],
  ...STANDING_FIELDS,
});

const Body = wireRecord<HolderPage, TokenRecord>()(
  {
    token_address: [address, (_, { mint }) => mint],
    count: [integer, 'count', 'Number of holders, excluding pools, lockers and burn addresses.'],
    holders: [
      plain(Type.Array(Holder.schema)),
      ({ holders }, token) => holders.map((holder) => Holder.present(holder, token)),
      'Largest balance first; ties by address. Dust balances are excluded.',
    ],
    next_cursor: [
      nullable(text),
      ({ next }, { mint }) => next && HOLDER_CURSOR.write(next, { mint }),
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
            share_of_supply: '0.2069',
            class: null,
            token_rules: [],
            labels: [],
            cluster_id: null,
            first_buy_at: null,
            average_cost_usd: null,
            realised_usd: null,
            unrealised_usd: null,
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
    'holders do not shift later pages. Each page is accurate as of the slot in x-slot; with ' +
    'as_of_slot all pages are as of the same slot.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({
    limit: PageLimitParameter,
    cursor: CursorParameter,
    as_of_slot: StateSlotParameter,
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
      const mint = request.params.token_address;
      const after = HOLDER_CURSOR.read(cursor, { mint });
      if (isQuoteMint(mint)) throw new ApiError(422, NOT_KEPT);
      const read = await readPage(deps, { mint, after, limit }, asOfSlot);
      const found = read.data;
      const fromSlot = found?.token.creationSlot ?? null;
      const toSlot = asOfSlot === undefined ? null : read.slot;
      setFreshness(reply, deps, { fromSlot, toSlot }, read);
      if (found === null) throw new ApiError(404, UNKNOWN_TOKEN);
      return Body.present(found.page, found.token);
    });
  };

function readPage(
  { past, tokens }: Pick<ApiDeps, 'past' | 'tokens'>,
  query: HolderPageQuery,
  asOfSlot: Slot | undefined,
): Promise<AsOf<TokenHolderPage | null>> {
  return asOfSlot === undefined ? tokens.holderPage(query) : past.holders(query, asOfSlot);
}
