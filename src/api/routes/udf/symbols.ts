/** GET /udf/symbols and /udf/search: tokens and pools as symbols of charts (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import { NO_TOKEN_FILTER, type TokenListing } from '../../../model/market-listing.ts';
import type { TokenRecord } from '../../../model/token-record.ts';
import { type Address, PRICE_SCALE, type PriceE18 } from '../../../model/units.ts';
import type { ApiDeps } from '../../deps.ts';
import { OFFERED_RESOLUTIONS } from '../../parameters/udf-resolution.ts';
import { setFreshness } from '../../present/freshness.ts';
import { address, flag, integer, list, text } from '../../present/wire-kinds.ts';
import { wireRecord } from '../../present/wire-record.ts';
import { findUdfSymbol, UNKNOWN_SYMBOL } from '../../requests/udf-symbol.ts';
import { udfErrors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { AddressParameter, Defaulted, IntegerParameter, Parsed } from '../../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../../schemas/wire.ts';

interface ChartSymbol {
  readonly address: Address;
  readonly token: TokenRecord | null;
  readonly priceUsd: PriceE18 | null;
}

const EXCHANGE = 'Solana';
const KIND = 'crypto';

const SymbolBody = wireRecord<ChartSymbol>()(
  {
    name: [text, ({ token, address: own }) => `${token?.symbol ?? own}/USD`],
    ticker: [address, 'address', 'The symbol that /udf/history takes.'],
    description: [text, ({ token, address: own }) => token?.name ?? own],
    type: [text, () => KIND],
    session: [text, () => '24x7'],
    timezone: [text, () => 'Etc/UTC'],
    exchange: [text, () => EXCHANGE],
    listed_exchange: [text, () => EXCHANGE],
    format: [text, () => 'price'],
    minmov: [integer, () => 1],
    pricescale: [
      integer,
      ({ priceUsd }) => 10 ** shownDigits(priceUsd),
      'Prices are shown in steps of 1 / pricescale: about six digits of the current price.',
    ],
    has_intraday: [flag, () => true],
    has_seconds: [flag, () => true],
    has_daily: [flag, () => true],
    seconds_multipliers: [list(text), () => ['1', '5', '15', '30']],
    intraday_multipliers: [list(text), () => ['1', '5', '15', '30', '60', '240']],
    supported_resolutions: [list(text), () => OFFERED_RESOLUTIONS],
    volume_precision: [integer, () => 2],
    data_status: [text, () => 'streaming'],
  },
  {
    description: 'The symbol.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        name: 'EXMP/USD',
        ticker: EXAMPLE.mint,
        description: 'Example',
        type: KIND,
        session: '24x7',
        timezone: 'Etc/UTC',
        exchange: EXCHANGE,
        listed_exchange: EXCHANGE,
        format: 'price',
        minmov: 1,
        pricescale: 1_000_000_000,
        has_intraday: true,
        has_seconds: true,
        has_daily: true,
        seconds_multipliers: ['1', '5', '15', '30'],
        intraday_multipliers: ['1', '5', '15', '30', '60', '240'],
        supported_resolutions: OFFERED_RESOLUTIONS,
        volume_precision: 2,
        data_status: 'streaming',
      },
    ],
  },
);

const DIGITS_SHOWN = 6;
const FRACTION_DIGITS_MIN = 2;
/** 10^15 is the last power of ten that a JSON number has exactly. */
const FRACTION_DIGITS_MAX = 15;

/** Fraction digits that show about six digits of a price. */
function shownDigits(priceUsd: PriceE18 | null): number {
  if (priceUsd === null || priceUsd === 0n) return DIGITS_SHOWN;
  const wholeDigits = priceUsd.toString().length - PRICE_SCALE;
  return Math.min(FRACTION_DIGITS_MAX, Math.max(FRACTION_DIGITS_MIN, DIGITS_SHOWN - wholeDigits));
}

const Found = wireRecord<TokenListing>()({
  symbol: [text, ({ token }) => `${token.symbol ?? token.mint}/USD`],
  full_name: [text, ({ token }) => token.mint],
  description: [text, ({ token }) => token.name ?? token.mint],
  exchange: [text, () => EXCHANGE],
  ticker: [text, ({ token }) => token.mint, 'The symbol that /udf/symbols and /udf/history take.'],
  type: [text, () => KIND],
});

/** Charts send empty texts for what is not chosen. */
const MaybeEmpty = (description: string) =>
  Type.Optional(
    Parsed<string, string>(
      {
        type: 'string',
        maxLength: SEARCH_LENGTH_MAX,
        description,
        'x-invalid-status': 400,
      },
      {
        parse: (value) => (value.length > SEARCH_LENGTH_MAX || CONTROL.test(value) ? null : value),
        expected: `a text of at most ${SEARCH_LENGTH_MAX} characters`,
      },
    ),
  );

const SEARCH_LENGTH_MAX = 100;
const CONTROL = /[\p{Cc}\p{Cs}]/u;

const symbolSchema = {
  operationId: 'getUdfSymbol',
  summary: 'A token or a pool as a symbol of charts',
  description: 'Resolves the address of a token or of a pool. Prices are in US dollars.',
  tags: ['charts'],
  querystring: Type.Object({
    symbol: AddressParameter({ description: 'Mint or pool address.', example: EXAMPLE.mint }),
  }),
  response: {
    200: SymbolBody.schema,
    ...udfErrors({ 400: 'symbol is required.', 404: UNKNOWN_SYMBOL }),
  },
};

const searchSchema = {
  operationId: 'searchUdfSymbols',
  summary: 'Search for symbols of charts',
  description: 'Returns tokens as /v1/tokens finds them, the most traded of 24 hours first.',
  tags: ['charts'],
  querystring: Type.Object({
    query: MaybeEmpty('Part of a name or symbol, or the beginning of an address. Empty: all.'),
    type: MaybeEmpty('Empty or crypto; no other type has symbols.'),
    exchange: MaybeEmpty('Empty or Solana; no other exchange has symbols.'),
    limit: Defaulted(
      IntegerParameter({
        description: 'Maximum number of symbols.',
        minimum: 1,
        maximum: 100,
        default: 30,
      }),
    ),
  }),
  response: {
    200: Type.Array(Found.schema, {
      description: 'The symbols.',
      headers: FRESHNESS_HEADERS,
      examples: [
        [
          {
            symbol: 'EXMP/USD',
            full_name: EXAMPLE.mint,
            description: 'Example',
            exchange: EXCHANGE,
            ticker: EXAMPLE.mint,
            type: KIND,
          },
        ],
      ],
    }),
    ...udfErrors({}),
  },
};

export const udfSymbolRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/udf/symbols', { schema: symbolSchema }, async (request, reply) => {
      const { symbol } = request.query;
      const found = await findUdfSymbol(deps, symbol);
      setFreshness(reply, deps);
      if (found === null) throw new ApiError(404, UNKNOWN_SYMBOL);
      return SymbolBody.present({ address: symbol, ...found });
    });
    app.get('/udf/search', { schema: searchSchema }, async (request, reply) => {
      const { query = '', type = '', exchange = '', limit } = request.query;
      if (!['', KIND].includes(type) || !['', EXCHANGE].includes(exchange)) {
        setFreshness(reply, deps, { isStored: true });
        return [];
      }
      const read = await deps.tokens.search({
        ...NO_TOKEN_FILTER,
        search: query === '' ? null : query,
        orderBy: 'volume_24h_usd',
        orderDir: 'desc',
        limit,
      });
      setFreshness(reply, deps, {}, read);
      return read.data.items.map((item) => Found.present(item));
    });
  };
