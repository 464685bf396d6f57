import type { ExportKind, ExportQuery } from '../../model/export.ts';
import { OPERATOR } from '../../model/rule-change.ts';
import { CONTROL_MODEL, ruleModelName } from '../../model/signal.ts';
import { PRICE_SCALE, USD_NANO_SCALE } from '../../model/units.ts';
import { isOfAuthors } from '../sql/signal-authors.ts';
import { IS_VISIBLE } from '../sql/visible-epoch.ts';
import {
  decimalCell,
  type ExportColumn,
  flagCell,
  floatCell,
  instantCell,
  numberCell,
  textCell,
  trimmedCell,
  wideCell,
  wordCell,
} from './export-cells.ts';

/** Types of the columns that tables are sorted by. */
export type KeyType = 'String' | 'Int64' | 'UInt64' | 'UInt32' | 'UInt16' | 'Int16';

/** Where the rows of an export are, in which order, and how they are written. */
export interface ExportTable {
  /** What follows FROM: a table with FINAL, or a subquery of the visible rows. */
  readonly from: string;
  /** The sort key of the table after the epoch: the order of the rows. */
  readonly key: readonly (readonly [column: string, type: KeyType])[];
  readonly timeColumn: string;
  /** Conditions beside those on time and slot; their parameters: `mint`, `pool`. */
  readonly conditions: readonly string[];
  readonly columns: readonly ExportColumn[];
}

/** Findings are written from their records. */
export type TableKind = Exclude<ExportKind, 'findings'>;

const column = (name: string, cell = numberCell(name)): ExportColumn => ({ name, cell });
const word = (name: string, value = name): ExportColumn => ({ name, cell: wordCell(value) });
const instant = (name: string, timeMs: string) => column(name, instantCell(timeMs));

/** An integer, and beside it the same as a decimal number. */
function amount(name: string, value: string, decimals: string): ExportColumn[] {
  return [column(`${name}_raw`, wideCell(value)), column(name, decimalCell(value, decimals))];
}

/** Nano-dollars, and beside them dollars with all digits. */
function dollars(name: string, value = name): ExportColumn[] {
  return [
    column(`${name}_nano`, wideCell(value)),
    column(name, decimalCell(value, String(USD_NANO_SCALE))),
  ];
}

/** A price in units of 10^-18, and beside it the decimal number. */
function price(name: string): ExportColumn[] {
  return [column(`${name}_e18`, wideCell(name)), column(name, trimmedCell(name, PRICE_SCALE))];
}

const TRADE_COLUMNS: readonly ExportColumn[] = [
  word(
    'trade_id',
    "concat(toString(slot), '-', toString(tx_index), '-', toString(outer_ix), '-', toString(inner_ix))",
  ),
  column('slot'),
  instant('timestamp', 'time_ms'),
  word('signature'),
  word('pair_address', 'pool'),
  word('token_address', 'base_mint'),
  word('venue'),
  word('router'),
  word('terminal'),
  word('wallet_address', 'trader'),
  word('side'),
  column('token_decimals', numberCell('base_decimals')),
  ...amount('token_amount', 'abs(pool_base_delta)', 'base_decimals'),
  word('quote_mint'),
  column('quote_decimals'),
  ...amount('quote_amount', 'abs(pool_quote_delta)', 'quote_decimals'),
  ...price('price_usd'),
  ...dollars('value_usd'),
  word('wallet_class'),
  column('is_organic', flagCell('is_organic')),
  column('is_hop', flagCell('is_hop')),
  column('is_arbitrage', flagCell('is_arbitrage')),
  column('is_round_trip', flagCell('is_round_trip')),
  word('exclusion'),
];

const SWAP_KEY = [
  ['time_ms', 'Int64'],
  ['slot', 'UInt64'],
  ['tx_index', 'UInt32'],
  ['outer_ix', 'UInt16'],
  ['inner_ix', 'Int16'],
] as const;

function tradesOf({ mint, pool }: ExportQuery): ExportTable {
  const common = { timeColumn: 'time_ms', columns: TRADE_COLUMNS };
  if (mint !== null && pool === null) {
    return {
      ...common,
      from: 'swaps_by_token FINAL',
      key: [['base_mint', 'String'], ...SWAP_KEY, ['pool', 'String']],
      conditions: [IS_VISIBLE, 'base_mint = {mint:String}'],
    };
  }
  return {
    ...common,
    from: 'swaps FINAL',
    key: [['pool', 'String'], ...SWAP_KEY],
    conditions: [IS_VISIBLE, ...scopeConditions({ mint, pool }, 'base_mint')],
  };
}

const CANDLE_COLUMNS: readonly ExportColumn[] = [
  word('address', 'scope'),
  instant('timestamp', 'open_time_ms'),
  column('slot'),
  ...['usd_open', 'usd_high', 'usd_low', 'usd_close'].flatMap(price),
  ...['quote_open', 'quote_high', 'quote_low', 'quote_close'].flatMap(price),
  column('token_decimals', numberCell('base_decimals')),
  ...amount('token_volume', 'base_volume_raw', 'base_decimals'),
  column('quote_volume_raw', wideCell('quote_volume_raw')),
  ...dollars('volume_usd'),
  ...amount('priced_token_volume', 'priced_base_volume_raw', 'base_decimals'),
  ...amount('price_setting_token_volume', 'pricing_base_raw', 'base_decimals'),
  ...dollars('price_setting_volume_usd', 'pricing_usd'),
  column('trades'),
  column('buys'),
  column('sells'),
  ...amount('supply', 'supply_raw', 'base_decimals'),
  column('is_final', flagCell('is_final')),
];

function candlesOf({ mint, pool }: ExportQuery): ExportTable {
  const scope = pool === null ? 'mint' : 'pool';
  return {
    from: 'candles FINAL',
    key: [
      ['scope', 'String'],
      ['open_time_ms', 'Int64'],
    ],
    timeColumn: 'open_time_ms',
    conditions: [
      IS_VISIBLE,
      ...(mint === null && pool === null ? [] : [`scope = {${scope}:String}`]),
    ],
    columns: CANDLE_COLUMNS,
  };
}

/** Figures that are written as they are stored: whole numbers, and decimals of few digits. */
const COUNTS = ['total_wallets', 'organic_wallets', 'organic_profitable_wallets'];
const FIGURES = [
  ...[
    'organic_to_total_wallets_ratio',
    'bot_to_total_wallets_ratio',
    'profitable_organic_to_total_organic_ratio',
    'bot_volume_ratio',
    'organic_volume_ratio',
    'organic_mean_hold_seconds',
    'organic_mean_trade_frequency_seconds',
    'smart_money_score',
    'raw_smart_money_score',
  ].map((name) => column(name, floatCell(name))),
  column('smart_holders'),
  column('raw_holders'),
  ...['smart_to_raw_holders_ratio', 'profitable_volume_total_volume_ratio'].map((name) =>
    column(name, floatCell(name)),
  ),
];

/** Volumes are cumulative since the first trade of the pool. */
const INDICATOR_COLUMNS: readonly ExportColumn[] = [
  word('pair_address', 'pool'),
  word('token_address', 'base_mint'),
  instant('timestamp', 'minute_ms'),
  column('slot'),
  instant('created_at', 'created_at_ms'),
  ...COUNTS.map((name) => column(name)),
  ...dollars('total_volume_usd'),
  ...dollars('organic_volume_usd'),
  ...dollars('profitable_volume_usd', 'profitable_volume'),
  ...price('price_usd'),
  ...dollars('smart_money_influx_10min'),
  ...dollars('smart_money_outflux_10min'),
  ...dollars('raw_smart_money_influx'),
  ...dollars('raw_smart_money_outflux'),
  ...FIGURES,
];

function indicatorsOf({ mint, pool }: ExportQuery): ExportTable {
  return {
    from: 'indicator_minutes FINAL',
    key: [
      ['pool', 'String'],
      ['minute_ms', 'Int64'],
    ],
    timeColumn: 'minute_ms',
    conditions: [IS_VISIBLE, ...scopeConditions({ mint, pool }, 'base_mint')],
    columns: INDICATOR_COLUMNS,
  };
}

/** Percent are stored with nine decimals. */
const PERCENT_SCALE = '9';

function percent(name: string, value: string): ExportColumn[] {
  return [column(`${name}_e9`, wideCell(value)), column(name, decimalCell(value, PERCENT_SCALE))];
}

const SIGNAL_COLUMNS: readonly ExportColumn[] = [
  column('row_id'),
  column('slot'),
  instant('created_at', 'created_at_ms'),
  word('model_name', 'model'),
  column('model_version'),
  word('token_address', 'mint'),
  word('pair_address', 'pool'),
  column('name', textCell('name')),
  column('symbol', textCell('symbol')),
  column('age_ms'),
  ...dollars('market_cap_usd'),
  ...dollars('liquidity_usd'),
  ...dollars('ath_market_cap_usd'),
  ...dollars('drawdown_market_cap_usd'),
  ...percent('roi_percentage', 'roi_e9'),
  ...percent('max_drawdown_percentage', 'drawdown_e9'),
  column('is_final', flagCell('is_final')),
];

const IS_OF_RULE = "startsWith(model, 'rule:')";
/** The fourth field of a stored signal (model/signal.ts): a layout never changes. */
const HASH = 'JSONExtractString(record, 3, 4)';
const RULE_NAME = "substring(model, position(model, '/') + 1)";

function ofRule(value: string): string {
  return `if(${IS_OF_RULE}, ${value}, '')`;
}

/** The columns of signals, if those of rules are among them. */
const SIGNAL_COLUMNS_WITH_RULES = SIGNAL_COLUMNS.flatMap((one) =>
  one.name === 'model_name'
    ? [
        word('model_name', `if(${IS_OF_RULE}, '', model)`),
        word('rule_id', 'rule_id'),
        word('author', 'author'),
      ]
    : [one],
);

/** `ruleIdOf` and `authorOf` as expressions of the engine. */
const RULE_VALUES = [
  `${ofRule(`concat(${RULE_NAME}, '@', toString(model_version), '+', left(${HASH}, 16))`)} AS rule_id`,
  `${ofRule(`if(startsWith(model, '${ruleModelName(OPERATOR, '')}'), 'operator', 'account')`)} AS author`,
];

/** Outcomes as of now: a signal issued last may not have one. */
const signalsWith = (values: readonly string[]) => `(
    SELECT *
    FROM (SELECT ${['* EXCEPT (record, version)', ...values].join(', ')}
      FROM signals FINAL WHERE ${IS_VISIBLE}) AS issued
    LEFT JOIN (
      SELECT row_id, toNullable(is_final) AS is_final,
        toNullable(ath_market_cap_usd) AS ath_market_cap_usd,
        toNullable(drawdown_market_cap_usd) AS drawdown_market_cap_usd,
        toNullable(roi_e9) AS roi_e9, toNullable(drawdown_e9) AS drawdown_e9
      FROM signal_outcomes FINAL WHERE ${IS_VISIBLE}) AS outcomes USING (row_id))`;

function signalsOf({ mint, pool, authors }: ExportQuery): ExportTable {
  const common = { key: [['row_id', 'UInt64']], timeColumn: 'created_at_ms' } as const;
  const scope = scopeConditions({ mint, pool }, 'mint');
  const isBuiltIn = `(model != '${CONTROL_MODEL}' AND NOT ${IS_OF_RULE})`;
  if (authors === null) {
    const conditions = [isBuiltIn, ...scope];
    return { ...common, from: signalsWith([]), conditions, columns: SIGNAL_COLUMNS };
  }
  const origins = [...(authors.isBuiltIn ? [isBuiltIn] : []), isOfAuthors(authors.ofRules.length)];
  return {
    ...common,
    from: signalsWith(RULE_VALUES),
    conditions: [`(${origins.join(' OR ')})`, ...scope],
    columns: SIGNAL_COLUMNS_WITH_RULES,
  };
}

function scopeConditions(
  { mint, pool }: Pick<ExportQuery, 'mint' | 'pool'>,
  mintColumn: string,
): string[] {
  return [
    ...(mint === null ? [] : [`${mintColumn} = {mint:String}`]),
    ...(pool === null ? [] : ['pool = {pool:String}']),
  ];
}

const TABLES = {
  trades: tradesOf,
  candles: candlesOf,
  indicators: indicatorsOf,
  signals: signalsOf,
} as const satisfies Record<TableKind, (query: ExportQuery) => ExportTable>;

export function exportTableOf(kind: TableKind, query: ExportQuery): ExportTable {
  return TABLES[kind](query);
}
