/** A panel of a dashboard for one token. Its title and units are the same whatever its source is. */
interface TokenPanel {
  readonly title: string;
  /** What to conclude from it. */
  readonly description: string;
  readonly type: 'candlestick' | 'timeseries' | 'table' | 'stat';
  /** As Grafana names it. */
  readonly unit: 'currencyUSD' | 'short';
}

/** How Grafana reads a field: the API writes decimals as text, which it turns into doubles. */
type FieldType = 'number' | 'string' | 'timestamp';

/** A panel of an answer of the API. */
export interface ApiPanel extends TokenPanel {
  /** Path and parameters; `$token` is the address, `__from` and `__to` the shown time. */
  readonly url: string;
  /** Name of the list in the answer, with points between names. */
  readonly list: string;
  readonly fields: Readonly<Record<string, FieldType>>;
}

/** A panel of a query of the tables. */
export interface SqlPanel extends TokenPanel {
  /** Grafana replaces `$token`, `$fold`, and `$__from` and `$__to` (milliseconds). */
  readonly sql: string;
}

const CANDLES = {
  title: 'Price',
  description:
    'Candles of half a minute over all pools of the token. Trades that cannot set a price are left out.',
  type: 'candlestick',
  unit: 'currencyUSD',
} as const;

const VOLUME = {
  title: 'Volume',
  description: 'Dollars that were traded in each half minute, of trades with a known value.',
  type: 'timeseries',
  unit: 'currencyUSD',
} as const;

const TRADES = {
  title: 'Newest trades',
  description: 'The class of a wallet is that of now.',
  type: 'table',
  unit: 'short',
} as const;

const RANGE = `start=\${__from:date:iso}&end=\${__to:date:iso}`;

/** What the API answers about a token. A test requests every address. */
export const API_PANELS: readonly ApiPanel[] = [
  {
    title: 'Now',
    description: 'Price and size of the token in its primary pool; volume over all pools.',
    type: 'stat',
    unit: 'currencyUSD',
    url: '/v1/tokens?search=$token&include=nameless&limit=1',
    list: 'items',
    fields: {
      price_usd: 'number',
      marketcap_usd: 'number',
      liquidity_usd: 'number',
      volume_24h_usd: 'number',
    },
  },
  {
    title: 'Holders and risk',
    description: 'Holders of the primary pool at the end of its last minute; risk from 0 to 100.',
    type: 'stat',
    unit: 'short',
    url: '/v1/tokens?search=$token&include=nameless&limit=1',
    list: 'items',
    fields: { raw_holders: 'number', organic_wallets: 'number', risk_score: 'number' },
  },
  {
    ...CANDLES,
    url: `/v1/market/ohlc?token_address=$token&interval=30s&${RANGE}`,
    list: 'timeframes.30s',
    fields: {
      timestamp: 'timestamp',
      ...{ open: 'number', high: 'number', low: 'number', close: 'number' },
    },
  },
  {
    ...VOLUME,
    url: `/v1/market/ohlc?token_address=$token&interval=30s&${RANGE}`,
    list: 'timeframes.30s',
    fields: { timestamp: 'timestamp', volume: 'number' },
  },
  {
    title: 'Largest holders',
    description: 'With pools, lockers and burn addresses, which kind names.',
    type: 'table',
    unit: 'short',
    url: '/v1/token/$token/holders?limit=50',
    list: 'holders',
    fields: {
      ...{ holder_address: 'string', kind: 'string', class: 'string' },
      ...{ balance: 'number', share_of_supply: 'number', unrealised_usd: 'number' },
    },
  },
  {
    title: 'Findings',
    description: 'Fraud findings of the token. An empty table means that none was found.',
    type: 'table',
    unit: 'short',
    url: '/v1/fraud/check?token_address=$token',
    list: 'classifications',
    fields: {
      ...{ created_at: 'timestamp', fraud_type: 'string', status: 'string' },
      confidence_score: 'number',
    },
  },
  {
    ...TRADES,
    url: '/v1/trades?token_address=$token&limit=100',
    list: 'trades',
    fields: {
      ...{ timestamp: 'timestamp', side: 'string', value_usd: 'number', price_usd: 'number' },
      ...{ wallet_address: 'string', wallet_class: 'string', signature: 'string' },
    },
  },
];

/**
 * While blocks are folded again, the tables have a second fold, which is not complete and has a higher
 * number. Which of them queries of the service return is in its control database; the lower one is
 * complete until it is removed.
 */
export const FOLD_SQL = 'SELECT min(epoch) FROM candles';

const OF_TOKEN = "epoch = $fold AND base_mint = '$token'";
const SHOWN = 'time_ms >= $__from AND time_ms < $__to';
const OF_CANDLES = `FROM candles FINAL
WHERE epoch = $fold AND scope = '$token' AND open_time_ms >= $__from AND open_time_ms < $__to`;
const TIME = "fromUnixTimestamp64Milli(open_time_ms, 'UTC') AS time";

/** What the tables have of a token. A test runs every query. */
export const SQL_PANELS: readonly SqlPanel[] = [
  {
    ...CANDLES,
    sql: `SELECT ${TIME},
  usd_open / 1e18 AS open, usd_high / 1e18 AS high, usd_low / 1e18 AS low, usd_close / 1e18 AS close
${OF_CANDLES} AND usd_open IS NOT NULL
ORDER BY time`,
  },
  {
    ...VOLUME,
    sql: `SELECT ${TIME}, volume_usd / 1e9 AS volume
${OF_CANDLES}
ORDER BY time`,
  },
  {
    title: 'Volume by class',
    description:
      'Dollars by the class of the wallet, which is that of now: bots, people, and those unknown.',
    type: 'timeseries',
    unit: 'currencyUSD',
    sql: `SELECT fromUnixTimestamp64Milli(intDiv(time_ms, 30000) * 30000, 'UTC') AS time,
  ifNull(nullIf(toString(wallet_class), ''), 'unknown') AS class, sum(ifNull(value_usd, 0)) / 1e9 AS volume
FROM swaps_by_token FINAL
WHERE ${OF_TOKEN} AND ${SHOWN} AND ifNull(exclusion, '') != 'quarantined'
GROUP BY time, class
ORDER BY time, class`,
  },
  {
    title: 'Largest traders',
    description: 'Wallets by what they traded in the shown time, with their class of now.',
    type: 'table',
    unit: 'currencyUSD',
    sql: `SELECT trader AS wallet_address, any(wallet_class) AS wallet_class,
  countIf(side = 'buy') AS buys, countIf(side = 'sell') AS sells,
  sumIf(ifNull(value_usd, 0), side = 'buy') / 1e9 AS bought_usd,
  sumIf(ifNull(value_usd, 0), side = 'sell') / 1e9 AS sold_usd
FROM swaps_by_token FINAL
WHERE ${OF_TOKEN} AND ${SHOWN} AND ifNull(exclusion, '') != 'quarantined'
GROUP BY trader
ORDER BY bought_usd + sold_usd DESC, wallet_address
LIMIT 50`,
  },
  {
    ...TRADES,
    sql: `SELECT fromUnixTimestamp64Milli(time_ms, 'UTC') AS time, side, value_usd / 1e9 AS value_usd,
  price_usd / 1e18 AS price_usd, trader AS wallet_address, wallet_class, signature
FROM swaps_by_token FINAL
WHERE ${OF_TOKEN} AND ${SHOWN}
ORDER BY time_ms DESC, slot DESC, tx_index DESC, outer_ix DESC, inner_ix DESC
LIMIT 100`,
  },
];
