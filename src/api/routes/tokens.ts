/** GET /v1/tokens: search and ranking of tokens (extension of CONTRACT §2). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { TOKEN_ORDERS, type TokenListing } from '../../model/token-search.ts';
import type { ApiDeps } from '../deps.ts';
import { setFreshness } from '../present/freshness.ts';
import {
  FIGURE_PRESENTERS,
  type FigureName,
  Figures,
  type WireFigures,
} from '../present/indicator-figures.ts';
import { PAGE_FIELDS, presentPage } from '../present/page.ts';
import { PriceSource } from '../present/price-source.ts';
import {
  address,
  integer,
  maybeInstant,
  nullable,
  plain,
  price,
  rounded,
  text,
  usd,
} from '../present/wire-kinds.ts';
import { wireRecord } from '../present/wire-record.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  ChoiceParameter,
  Defaulted,
  IntegerParameter,
  TextParameter,
} from '../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';

/** Maximum page number: the cost of a page grows with its offset. */
const PAGE_MAX = 1_000;
const SEARCH_LENGTH_MAX = 64;
const CHANGE_DIGITS = 4;

const Query = Type.Object({
  search: Type.Optional(
    TextParameter({
      description:
        'Part of a name or symbol, case-insensitive, or the beginning of an address. There are ' +
        'no wildcards.',
      maxLength: SEARCH_LENGTH_MAX,
    }),
  ),
  order_by: Defaulted(
    ChoiceParameter(TOKEN_ORDERS, {
      description:
        'Sort field. Indicators are those of the primary pool at its last trade. Tokens without ' +
        'a value come last.',
      default: 'newest',
    }),
  ),
  order_dir: Defaulted(
    ChoiceParameter(['asc', 'desc'], { description: 'Sort direction.', default: 'desc' }),
  ),
  page: Defaulted(
    IntegerParameter({
      description: 'Page number, starting at 1.',
      minimum: 1,
      maximum: PAGE_MAX,
      default: 1,
    }),
  ),
  per_page: Defaulted(
    IntegerParameter({
      description: 'Number of items per page.',
      minimum: 1,
      maximum: 100,
      default: 20,
    }),
  ),
});

/** An indicator of the primary pool; null for a token without any. */
const figure =
  <Name extends FigureName>(name: Name) =>
  ({ indicators }: TokenListing): WireFigures[Name] | null =>
    indicators && FIGURE_PRESENTERS[name](indicators);

const { properties: figures } = Figures.schema;

const Item = wireRecord<TokenListing>()({
  token_address: [address, ({ token }) => token.mint],
  name: [nullable(text), ({ token }) => token.name],
  symbol: [nullable(text), ({ token }) => token.symbol],
  decimals: [nullable(integer), ({ token }) => token.decimals],
  creator_address: [nullable(address), ({ token }) => token.creator],
  created_at: [maybeInstant, ({ token }) => token.createdAtMs],
  pair_address: [
    nullable(address),
    ({ token }) => token.primaryPool,
    'Address of the primary pool; null if there is none.',
  ],
  price_usd: [
    nullable(price),
    ({ token }) => token.priceUsd,
    'Price in the primary pool, in US dollars.',
  ],
  volume_24h_usd: [
    nullable(usd),
    'volume24hUsd',
    'Volume over all pools in US dollars; null if too little of it is priced.',
  ],
  price_change_24h: [
    nullable(rounded(CHANGE_DIGITS)),
    'priceChange24h',
    'Price change from the first to the last trade of the last 24 hours, as a fraction.',
  ],
  total_wallets: [nullable(plain(figures.total_wallets)), figure('total_wallets')],
  organic_wallets: [nullable(plain(figures.organic_wallets)), figure('organic_wallets')],
  organic_volume_usd: [plain(figures.organic_volume_usd), figure('organic_volume_usd')],
  smart_money_score: [nullable(plain(figures.smart_money_score)), figure('smart_money_score')],
  smart_holders: [plain(figures.smart_holders), figure('smart_holders')],
  raw_holders: [plain(figures.raw_holders), figure('raw_holders')],
  fee_recipient_address: [
    nullable(address),
    ({ token }) => token.feeRecipient,
    'Recipient of the creator fees, if the chain names one: other than the creator at ' +
      'launch, or set by a later change.',
  ],
  price_source: [nullable(PriceSource), ({ token }) => token.priceChain],
});

const Body = Type.Object(
  {
    items: Type.Array(Item.schema),
    total: Type.Integer({ description: 'Number of items across all pages.' }),
    ...PAGE_FIELDS,
  },
  {
    description: 'One page of tokens; empty past the end.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        items: [
          {
            token_address: EXAMPLE.mint,
            name: 'Example',
            symbol: 'EXMP',
            decimals: 6,
            creator_address: EXAMPLE.creator,
            created_at: EXAMPLE.instant,
            pair_address: EXAMPLE.pool,
            price_usd: '0.000346289',
            volume_24h_usd: '18420.11',
            price_change_24h: '0.1250',
            total_wallets: 1824,
            organic_wallets: 1225,
            organic_volume_usd: '611531.23',
            smart_money_score: '72.45',
            smart_holders: 14,
            raw_holders: 847,
            fee_recipient_address: null,
            price_source: null,
          },
        ],
        total: 1,
        page: 1,
        per_page: 20,
        pages: 1,
      },
    ],
  },
);

const schema = {
  operationId: 'getTokens',
  summary: 'List tokens',
  description:
    'Returns tokens by name, symbol or address in the requested order. The list contains final ' +
    'data only: x-slot is the slot it is from. Ties are ordered by address.',
  tags: ['tokens'],
  querystring: Query,
  response: {
    200: Body,
    ...errors({ 400: 'per_page must be a whole number from 1 to 100.' }),
  },
};

export const tokensRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/tokens', { schema }, async (request, reply) => {
      const { search = null, order_by, order_dir, page, per_page } = request.query;
      const { items, total, slot } = await deps.tokens.search({
        search,
        orderBy: order_by,
        orderDir: order_dir,
        offset: (page - 1) * per_page,
        limit: per_page,
        nowMs: deps.chain.freshness({ isStored: true }).timeMs ?? deps.nowMs(),
      });
      setFreshness(reply, deps, { toSlot: slot, isStored: true });
      return {
        items: items.map((item) => Item.present(item)),
        ...presentPage(request.query, total),
      };
    });
  };
