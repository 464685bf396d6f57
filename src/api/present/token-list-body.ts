import { Type } from 'typebox';
import type { IndicatorRecord } from '../../model/indicators.ts';
import type { TokenListing } from '../../model/market-listing.ts';
import type { OffchainReads } from '../offchain-reads.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS, Nullable } from '../schemas/wire.ts';
import { FIGURE_PRESENTERS, Figures, type WireFigures } from './indicator-figures.ts';
import { pictureUrl, pictureUrlKind } from './picture-url.ts';
import { PriceSource } from './price-source.ts';
import { WINDOWS_EXAMPLE, type WindowContext, windows } from './windows-body.ts';
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
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const CHANGE_DIGITS = 4;
const TREND_DIGITS = 4;

/** Indicators that are listed; their presenters read no others. */
type ListedFigure =
  | 'total_wallets'
  | 'organic_wallets'
  | 'organic_volume_usd'
  | 'organic_to_total_wallets_ratio'
  | 'smart_money_score'
  | 'smart_holders'
  | 'raw_holders';

/** An indicator of the primary pool; null for a token without any. */
const figure =
  <Name extends ListedFigure>(name: Name) =>
  ({ indicators }: TokenListing): WireFigures[Name] | null =>
    indicators && FIGURE_PRESENTERS[name](indicators as IndicatorRecord);

const { properties: figures } = Figures.schema;

interface TokenContext extends WindowContext {
  readonly thumbnailHashOf: OffchainReads['thumbnailHashOf'];
}

export const TokenItem = wireRecord<TokenListing, TokenContext>()(
  {
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
    marketcap_usd: [
      nullable(usd),
      'marketCapUsd',
      'Supply less what burn addresses hold, at price_usd, in US dollars.',
    ],
    liquidity_usd: [nullable(usd), 'liquidityUsd', 'Of the primary pool, in US dollars.'],
    venue: [nullable(text), 'venue', 'Program of the primary pool, as named in /v1/coverage.'],
    launchpad: [
      nullable(text),
      'launchpad',
      'Program of the bonding curve that the token was launched on; null without one.',
    ],
    organic_to_total_wallets_ratio: [
      plain(figures.organic_to_total_wallets_ratio),
      figure('organic_to_total_wallets_ratio'),
    ],
    risk_score: [
      nullable(integer),
      'riskScore',
      'As in /v1/fraud/check: 0 to 100, 0 without a finding.',
    ],
    trending: [
      nullable(rounded(TREND_DIGITS)),
      'trending',
      'Organic volume of the last hour over the hourly mean of the 23 hours before it, or of the ' +
        "token's life before it if that is shorter, each plus 1,000 dollars. Null with fewer than " +
        '10 buyers in the last hour.',
    ],
    windows: [windows, 'windows', 'Over all pools; null while the service starts.'],
    picture_url: [
      pictureUrlKind,
      ({ token: { mint } }, { thumbnailHashOf }) => pictureUrl(mint, thumbnailHashOf(mint)),
    ],
  },
  { title: 'ListedToken' },
);

export const TokenListBody = Type.Object(
  {
    items: Type.Array(TokenItem.schema),
    total: Type.Integer({ description: 'Number of items across all pages.' }),
    page: Nullable(Type.Integer()),
    per_page: Type.Integer(),
    pages: Nullable(Type.Integer()),
    next_cursor: Nullable(
      Type.String({
        description:
          'Cursor of the next page; null on the last page, and while the service starts.',
      }),
    ),
  },
  {
    description: 'One page of tokens; empty past the end. page and pages are null with a cursor.',
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
            marketcap_usd: '346289.00',
            liquidity_usd: '41220.50',
            venue: 'pump_amm',
            launchpad: 'pump',
            organic_to_total_wallets_ratio: '0.6716',
            risk_score: 12,
            trending: '3.4180',
            windows: WINDOWS_EXAMPLE,
            picture_url: pictureUrl(EXAMPLE.mint, EXAMPLE.thumbnailHash),
          },
        ],
        total: 1,
        page: 1,
        per_page: 20,
        pages: 1,
        next_cursor: null,
      },
    ],
  },
);
