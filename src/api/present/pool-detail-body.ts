import { formatFixed } from '../../lib/decimal.ts';
import type { PoolDetail } from '../../model/market-listing.ts';
import { type PoolFigures, poolFiguresOf } from '../../model/pool-figures.ts';
import type { TriggerField } from '../../model/trigger.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { POOL_EXAMPLE, PoolItem } from './pool-body.ts';
import { FiredPool } from './present-trigger.ts';
import type { WindowContext } from './windows-body.ts';
import { decimalOf, integer, nullable, price, usd } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const RATIO_SCALE = 4;

const ratio = nullable(decimalOf<bigint>((raw) => formatFixed(raw, RATIO_SCALE)));

/** What the conditions of a trigger compare, as of now: all TRIGGER_FIELDS. */
export const TriggerFigures = wireRecord<PoolFigures>()({
  ...FiredPool.fields,
  ...({
    price_usd: [
      nullable(price),
      'priceUsd',
      'US dollars for one whole base token of the pool; null if unknown.',
    ],
    liquidity_usd: [nullable(usd), 'liquidityUsd'],
    marketcap_usd: [nullable(usd), 'marketCapUsd'],
    organic_to_total_wallets_ratio: [ratio, 'organicRatioE4', 'Null for a ratio of nothing.'],
    raw_holders: [nullable(integer), 'rawHolders'],
    smart_money_influx_10min: [nullable(usd), 'smartMoneyInflux10min'],
    price_change_5m: [
      ratio,
      'priceChange5mE4',
      'As a fraction. Null without a price in 24 hours, and while the service starts.',
    ],
    price_change_1h: [ratio, 'priceChange1hE4', 'As price_change_5m.'],
    fraud_confidence: [
      ratio,
      'fraudConfidenceE4',
      'Highest confidence of the published findings of the token, 0 without one; null while the ' +
        'service starts.',
    ],
  } as const satisfies Readonly<Record<Added, unknown>>),
});

/** Fields of triggers that the pool of a firing does not have. */
type Added = Exclude<TriggerField, keyof typeof FiredPool.fields>;

const Figures = {
  ...TriggerFigures.schema,
  description: 'The figures that conditions of triggers compare.',
};

const figures = {
  schema: Figures,
  present: ({ pool, wider }: PoolDetail) => TriggerFigures.present(poolFiguresOf(pool, wider)),
};

/** One pool with what triggers compare. */
export const PoolDetailItem = wireRecord<PoolDetail, WindowContext>()({
  ...PoolItem.fields,
  trigger_figures: [figures, (detail) => detail],
});

export const POOL_DETAIL_EXAMPLE = {
  ...POOL_EXAMPLE,
  trigger_figures: {
    pair_address: EXAMPLE.pool,
    token_address: EXAMPLE.mint,
    sol_amount: '85.512000000',
    token_amount: '206900000.000000',
    number_of_buys: 412,
    number_of_sells: 290,
    buy_volume_usd: '51207.11',
    sell_volume_usd: '38010.90',
    total_volume_usd: '89218.01',
    price_usd: '0.000346289',
    liquidity_usd: '33996.14',
    marketcap_usd: '82155.98',
    organic_to_total_wallets_ratio: '0.5714',
    raw_holders: 318,
    smart_money_influx_10min: '184.20',
    price_change_5m: '-0.0312',
    price_change_1h: '0.2041',
    fraud_confidence: '0.8581',
  },
};
