import { type Static, type TSchema, Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import {
  INCLUDED_TOKENS,
  type RangeFilter,
  TOKEN_FIGURES,
  TOKEN_USD_RANGES,
  type TokenFigure,
  type TokenListQuery,
} from '../../model/market-listing.ts';
import { DEX_NAME_OF_VENUE, type Venue } from '../../model/program.ts';
import { isCurveVenue } from '../../model/venue-kinds.ts';
import { TOKEN_CURSOR } from '../parameters/market-cursors.ts';
import type { CursorFilters } from '../parameters/page-cursor.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  CursorParameter,
  Defaulted,
  IntegerParameter,
  ListParameter,
  Parsed,
  TextParameter,
  UsdParameter,
} from '../schemas/parameters.ts';

/** Maximum page number: later pages are read with a cursor. */
const PAGE_MAX = 1_000;
/** Items of a page by number, which is also that of a request without any of these parameters. */
const PER_PAGE = 20;
/** Items of a page by cursor (CONTRACT §4). */
const LIMIT = 100;
const SEARCH_LENGTH_MAX = 64;
const VENUES = Object.keys(DEX_NAME_OF_VENUE) as Venue[];

/** A ratio from 0 to 1 in plain decimal notation. */
function RatioParameter({ description }: { readonly description: string }) {
  const schema = {
    type: 'string',
    pattern: '^(0([.][0-9]{1,4})?|1([.]0{1,4})?)$',
    description,
    examples: ['0.5'],
    'x-invalid-status': 422,
  };
  return Parsed<string, number>(schema, {
    parse: (text) => (new RegExp(schema.pattern).test(text) ? Number(text) : null),
    expected: 'a decimal number from 0 to 1 with at most 4 fraction digits such as 0.5',
  });
}

const CountParameter = (maximum: number) => (described: { readonly description: string }) =>
  IntegerParameter({ ...described, minimum: 0, maximum, invalidStatus: 422 });

/** Both limits of a figure, both of them included. */
function range<Name extends string, Schema extends TSchema>(
  name: Name,
  Parameter: (described: { readonly description: string }) => Schema,
  subject: string,
) {
  return {
    [`min_${name}`]: Type.Optional(Parameter({ description: `Minimum ${subject}.` })),
    [`max_${name}`]: Type.Optional(Parameter({ description: `Maximum ${subject}.` })),
  } as {
    readonly [Limit in `min_${Name}` | `max_${Name}`]: ReturnType<typeof Type.Optional<Schema>>;
  };
}

const volume = (window: string) => `volume over all pools in the last ${window}, in US dollars`;
const organic = (window: string) => `organic ${volume(window)}`;
const OF_PRIMARY = 'of the primary pool, at the end of the last minute in which it was traded';

const RANGES = {
  ...range('marketcap_usd', UsdParameter, 'market capitalisation, in US dollars'),
  ...range('liquidity_usd', UsdParameter, 'liquidity of the primary pool, in US dollars'),
  ...range('volume_5m_usd', UsdParameter, volume('5 minutes')),
  ...range('volume_1h_usd', UsdParameter, volume('hour')),
  ...range('volume_6h_usd', UsdParameter, volume('6 hours')),
  ...range('volume_24h_usd', UsdParameter, volume('24 hours')),
  ...range('organic_volume_5m_usd', UsdParameter, organic('5 minutes')),
  ...range('organic_volume_1h_usd', UsdParameter, organic('hour')),
  ...range('organic_volume_6h_usd', UsdParameter, organic('6 hours')),
  ...range('organic_volume_24h_usd', UsdParameter, organic('24 hours')),
  ...range('age_seconds', CountParameter(10 ** 11), 'time since the creation, in seconds'),
  ...range(
    'raw_holders',
    CountParameter(Number.MAX_SAFE_INTEGER),
    `number of holders ${OF_PRIMARY}`,
  ),
  ...range(
    'organic_to_total_wallets_ratio',
    RatioParameter,
    `organic wallets divided by all wallets ${OF_PRIMARY}`,
  ),
  ...range('risk_score', CountParameter(100), 'risk score, as in /v1/fraud/check'),
};

/** Figures with limits, beside the age. */
const RANGE_FIGURES = [
  ...TOKEN_USD_RANGES,
  'raw_holders',
  'organic_to_total_wallets_ratio',
  'risk_score',
] as const satisfies readonly TokenFigure[];

export const TokenListParameters = Type.Object({
  search: Type.Optional(
    TextParameter({
      description:
        'Part of a name or symbol, case-insensitive, or the beginning of an address. There are ' +
        'no wildcards.',
      maxLength: SEARCH_LENGTH_MAX,
    }),
  ),
  q: Type.Optional(
    TextParameter({ description: 'Another name of search.', maxLength: SEARCH_LENGTH_MAX }),
  ),
  ...RANGES,
  venue: Type.Optional(
    ChoiceParameter(VENUES, {
      description: 'Program of the primary pool.',
      invalidStatus: 422,
    }),
  ),
  launchpad: Type.Optional(
    ChoiceParameter(VENUES.filter(isCurveVenue), {
      description: 'Program of the bonding curve that the token was launched on.',
      invalidStatus: 422,
    }),
  ),
  creator_address: Type.Optional(
    AddressParameter({ description: 'Tokens of this creator.', example: EXAMPLE.creator }),
  ),
  include: Type.Optional(
    ListParameter(INCLUDED_TOKENS, {
      description:
        'Tokens that are otherwise left out: SOL and stablecoins, LP tokens, and tokens without ' +
        'name and symbol.',
    }),
  ),
  order_by: Defaulted(
    ChoiceParameter(TOKEN_FIGURES, {
      description:
        'Sort field; newest is the time of creation. Indicators are those of the primary pool at ' +
        'its last trade. Tokens without a value come last in both directions.',
      default: 'newest',
    }),
  ),
  order_dir: Defaulted(
    ChoiceParameter(['asc', 'desc'], { description: 'Sort direction.', default: 'desc' }),
  ),
  page: Type.Optional(
    IntegerParameter({
      description: 'Page number, starting at 1. Not with a cursor.',
      minimum: 1,
      maximum: PAGE_MAX,
    }),
  ),
  per_page: Type.Optional(
    IntegerParameter({
      description: `Number of items per page, by default ${PER_PAGE} without a cursor. Not with limit.`,
      minimum: 1,
      maximum: 100,
    }),
  ),
  limit: Type.Optional(
    IntegerParameter({
      description: `Maximum number of items per page, instead of per_page; by default ${LIMIT} with a cursor.`,
      minimum: 1,
      maximum: 500,
    }),
  ),
  cursor: CursorParameter,
});

type Parameters = Static<typeof TokenListParameters>;

/** A query, and what its cursors depend on. */
export interface TokenListRequest {
  readonly query: TokenListQuery;
  readonly filters: CursorFilters;
  /** Null with a cursor. */
  readonly page: number | null;
}

/** Throws 400 for parameters that exclude each other and foreign cursors, 422 for empty ranges. */
export function parseTokenList(parameters: Parameters): TokenListRequest {
  const { page, per_page, limit, cursor, search, q, ...rest } = parameters;
  assertNotBoth(limit, per_page, 'limit and per_page');
  assertNotBoth(cursor, page, 'cursor and page');
  assertNotBoth(search, q, 'search and q');
  const filters = textsOf({ ...rest, search: search ?? q });
  const ranges = rangesOf(parameters);
  const size = limit ?? per_page ?? (cursor === undefined ? PER_PAGE : LIMIT);
  return {
    query: {
      orderBy: parameters.order_by,
      orderDir: parameters.order_dir,
      ranges,
      ...ageOf(parameters),
      ...factsOf(parameters),
      after: TOKEN_CURSOR.read(cursor, filters),
      offset: ((page ?? 1) - 1) * size,
      limit: size,
    },
    filters,
    page: cursor === undefined ? (page ?? 1) : null,
  };
}

function assertNotBoth(one: unknown, other: unknown, names: string): void {
  if (one !== undefined && other !== undefined) {
    throw new ApiError(400, `${names} cannot be combined.`);
  }
}

/** Filters by something other than a figure. */
function factsOf({ venue, launchpad, creator_address, search, q, include }: Parameters) {
  return {
    venue: venue ?? null,
    launchpad: launchpad ?? null,
    creator: creator_address ?? null,
    search: search ?? q ?? null,
    include: include ?? [],
  };
}

function rangesOf(parameters: Parameters): RangeFilter<TokenFigure>[] {
  return RANGE_FIGURES.flatMap((figure) => {
    const [min, max] = limitsOf(parameters, figure);
    return min === null && max === null ? [] : [{ figure, min, max }];
  });
}

function ageOf(parameters: Parameters) {
  const [ageSecondsMin, ageSecondsMax] = limitsOf(parameters, 'age_seconds');
  return { ageSecondsMin, ageSecondsMax };
}

function limitsOf(
  parameters: Parameters,
  name: (typeof RANGE_FIGURES)[number] | 'age_seconds',
): readonly [min: number | null, max: number | null] {
  const [min, max] = [parameters[`min_${name}`], parameters[`max_${name}`]];
  if (min !== undefined && max !== undefined && min > max) {
    throw new ApiError(422, `min_${name} must not be above max_${name}.`);
  }
  return [toNumber(min), toNumber(max)];
}

/** Amounts are compared as numbers, as the figures are. */
function toNumber(limit: number | bigint | undefined): number | null {
  return limit === undefined ? null : Number(limit);
}

function textsOf(parameters: Readonly<Record<string, unknown>>): CursorFilters {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
