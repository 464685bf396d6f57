import { Type } from 'typebox';
import { EXAMPLE } from './examples.ts';
import {
  AddressText,
  AlwaysNull,
  DecimalText,
  FRESHNESS_HEADERS,
  MaybeInstant,
  Nullable,
} from './wire.ts';

const pendingCount = AlwaysNull('integer', 'Not computed yet.');
const pendingDecimal = AlwaysNull('string', 'Not computed yet.');

const example = {
  pair_address: EXAMPLE.pool,
  token_address: EXAMPLE.mint,
  total_wallets: 1824,
  organic_wallets: null,
  organic_profitable_wallets: null,
  organic_to_total_wallets_ratio: null,
  bot_to_total_wallets_ratio: null,
  profitable_organic_to_total_organic_ratio: null,
  total_volume_usd: '1284729.47',
  organic_volume_usd: null,
  bot_volume_ratio: null,
  organic_volume_ratio: null,
  organic_mean_hold_seconds: null,
  organic_mean_trade_frequency_seconds: null,
  smart_money_score: null,
  price_usd: '0.000346289',
  social_sentiment_score: null,
  social_blast_radius_score: null,
  status: 'active',
  attempts: 0,
  created_at: EXAMPLE.instant,
  updated_at: EXAMPLE.instant,
  smart_money_influx_10min: null,
  smart_money_outflux_10min: null,
  raw_smart_money_score: null,
  raw_smart_money_influx: null,
  raw_smart_money_outflux: null,
  smart_holders: null,
  raw_holders: 847,
  smart_to_raw_holders_ratio: null,
  profitable_volume: null,
  profitable_volume_total_volume_ratio: null,
};

/** Body of the current indicators, keys in the order of CONTRACT §2.2. */
export const IndicatorsBody = Type.Object(
  {
    pair_address: AddressText,
    token_address: AddressText,
    total_wallets: Type.Integer({ description: 'Distinct traders of the pool.' }),
    organic_wallets: pendingCount,
    organic_profitable_wallets: pendingCount,
    organic_to_total_wallets_ratio: pendingDecimal,
    bot_to_total_wallets_ratio: pendingDecimal,
    profitable_organic_to_total_organic_ratio: pendingDecimal,
    total_volume_usd: Nullable(
      DecimalText('Null while less than 0.9 of the volume has a known USD value.'),
    ),
    organic_volume_usd: pendingDecimal,
    bot_volume_ratio: pendingDecimal,
    organic_volume_ratio: pendingDecimal,
    organic_mean_hold_seconds: pendingDecimal,
    organic_mean_trade_frequency_seconds: pendingDecimal,
    smart_money_score: pendingDecimal,
    price_usd: Nullable(DecimalText('Last price that was allowed to set one.')),
    social_sentiment_score: pendingDecimal,
    social_blast_radius_score: pendingCount,
    status: Type.Unsafe<'active' | 'inactive'>({
      type: 'string',
      enum: ['active', 'inactive'],
      description: 'inactive after 24 h of chain time without a swap.',
    }),
    attempts: Type.Integer({
      description: 'Failed attempts to compute these figures since they last succeeded.',
    }),
    created_at: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Chain time of the slot the figures are true as of. Null, beyond the specification, ' +
          'when no block time is known.',
      }),
    ),
    updated_at: MaybeInstant,
    smart_money_influx_10min: pendingDecimal,
    smart_money_outflux_10min: pendingDecimal,
    raw_smart_money_score: pendingDecimal,
    raw_smart_money_influx: pendingDecimal,
    raw_smart_money_outflux: pendingDecimal,
    smart_holders: pendingCount,
    raw_holders: Type.Integer({ description: 'Owners that hold the token.' }),
    smart_to_raw_holders_ratio: pendingDecimal,
    profitable_volume: pendingDecimal,
    profitable_volume_total_volume_ratio: pendingDecimal,
  },
  { description: 'The indicators.', headers: FRESHNESS_HEADERS, examples: [example] },
);
