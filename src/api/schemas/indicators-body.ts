import { Type } from 'typebox';
import { EXAMPLE } from './examples.ts';
import { FIGURES_EXAMPLE, WIRE_FIGURES as figures } from './indicator-figures.ts';
import { AddressText, DecimalText, FRESHNESS_HEADERS, MaybeInstant, Nullable } from './wire.ts';

/** Body of the current indicators, keys in the order of CONTRACT §2.2. */
export const IndicatorsBody = Type.Object(
  {
    pair_address: AddressText,
    token_address: AddressText,
    total_wallets: figures.total_wallets,
    organic_wallets: figures.organic_wallets,
    organic_profitable_wallets: figures.organic_profitable_wallets,
    organic_to_total_wallets_ratio: figures.organic_to_total_wallets_ratio,
    bot_to_total_wallets_ratio: figures.bot_to_total_wallets_ratio,
    profitable_organic_to_total_organic_ratio: figures.profitable_organic_to_total_organic_ratio,
    total_volume_usd: figures.total_volume_usd,
    organic_volume_usd: figures.organic_volume_usd,
    bot_volume_ratio: figures.bot_volume_ratio,
    organic_volume_ratio: figures.organic_volume_ratio,
    organic_mean_hold_seconds: figures.organic_mean_hold_seconds,
    organic_mean_trade_frequency_seconds: figures.organic_mean_trade_frequency_seconds,
    smart_money_score: figures.smart_money_score,
    price_usd: figures.price_usd,
    social_sentiment_score: Nullable(
      DecimalText(
        'Sentiment of the posts of the last hour, from −1 to 1, with three decimals. The weight ' +
          'of a post halves every fifteen minutes. 0 without posts; null for a token whose posts ' +
          'are not collected.',
      ),
    ),
    social_blast_radius_score: Nullable(
      Type.Integer({
        description:
          'Estimated reach of the posts of the last hour: quality-weighted followers of the ' +
          'authors, plus 10 % for each doubling of reposts. Null for a token whose posts are not ' +
          'collected.',
      }),
    ),
    status: Type.Unsafe<'active' | 'inactive'>({
      type: 'string',
      enum: ['active', 'inactive'],
      description: 'inactive after 24 hours of chain time without a swap.',
    }),
    attempts: Type.Integer({
      description: 'Failed attempts to compute the indicators since the last success.',
    }),
    created_at: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Block time of the slot the indicators are as of; null (extension of the ' +
          'specification) if no block time is known.',
      }),
    ),
    updated_at: MaybeInstant,
    smart_money_influx_10min: figures.smart_money_influx_10min,
    smart_money_outflux_10min: figures.smart_money_outflux_10min,
    raw_smart_money_score: figures.raw_smart_money_score,
    raw_smart_money_influx: figures.raw_smart_money_influx,
    raw_smart_money_outflux: figures.raw_smart_money_outflux,
    smart_holders: figures.smart_holders,
    raw_holders: figures.raw_holders,
    smart_to_raw_holders_ratio: figures.smart_to_raw_holders_ratio,
    profitable_volume: figures.profitable_volume,
    profitable_volume_total_volume_ratio: figures.profitable_volume_total_volume_ratio,
  },
  {
    description: 'Current indicators of the pool.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        pair_address: EXAMPLE.pool,
        token_address: EXAMPLE.mint,
        ...FIGURES_EXAMPLE,
        social_sentiment_score: '0.847',
        social_blast_radius_score: 284729,
        status: 'active',
        attempts: 0,
        created_at: EXAMPLE.instant,
        updated_at: EXAMPLE.instant,
      },
    ],
  },
);
