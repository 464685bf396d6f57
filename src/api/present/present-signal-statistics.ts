import { Type } from 'typebox';
import { formatFixed } from '../../lib/decimal.ts';
import { EXIT_RULES, PERCENT_SCALE, type ShownModel } from '../../model/signal.ts';
import type {
  Center,
  DayStatistics,
  ExecutionStatistics,
  Lift,
  ModelStatistics,
  SignalStatistics,
  Summary,
} from '../../model/signal-statistics.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { RANGE_EXAMPLE, rangeFields } from './signal-range-echo.ts';
import {
  decimalOf,
  described,
  integer,
  list,
  nullable,
  plain,
  rounded,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const nine = decimalOf<bigint>((value) => formatFixed(value, PERCENT_SCALE));
const percent = described(nine, 'Percent, nine fraction digits.');
const usd = described(nine, 'US dollars, nine fraction digits.');
const share = rounded(4);

const RoiStatistics = wireRecord<Summary>()({
  avg_max_roi: [percent, 'mean'],
  median_max_roi: [percent, 'median'],
  min_roi: [percent, 'min'],
  max_roi: [percent, 'max'],
  std_dev_roi: [percent, 'deviation'],
});

const DrawdownStatistics = wireRecord<Summary>()({
  avg_drawdown_before_ath: [percent, 'mean'],
  median_drawdown_before_ath: [percent, 'median'],
  min_drawdown: [percent, 'min'],
  max_drawdown: [percent, 'max'],
  std_dev_drawdown: [percent, 'deviation'],
});

const MarketCapStatistics = wireRecord<SignalStatistics>()({
  avg_signal_market_cap: [usd, ({ marketCap }) => marketCap.mean],
  median_signal_market_cap: [usd, ({ marketCap }) => marketCap.median],
  avg_ath_market_cap: [usd, ({ athMarketCap }) => athMarketCap.mean],
  median_ath_market_cap: [usd, ({ athMarketCap }) => athMarketCap.median],
});

const LiquidityStatistics = wireRecord<Center>()({
  avg_liquidity_usd: [usd, 'mean'],
  median_liquidity_usd: [usd, 'median'],
});

const modelName = plain(Type.Unsafe<ShownModel>({ type: 'string' }));

const Model = wireRecord<ModelStatistics>()({
  model_name: [modelName, 'model', 'The model; `rule:author/name` for statistics of a rule.'],
  signal_count: [integer, 'count'],
  avg_max_roi: [percent, 'meanRoiE9'],
  median_max_roi: [percent, 'medianRoiE9'],
  avg_drawdown_before_ath: [percent, 'meanDrawdownE9'],
});

const Day = wireRecord<DayStatistics>()({
  date: [plain(Type.String({ format: 'date' })), 'date', 'Day in UTC.'],
  signal_count: [integer, 'count'],
  avg_max_roi: [percent, 'meanRoiE9'],
});

const RandomMinutes = wireRecord<Lift>()(
  {
    matched_signal_count: [
      integer,
      'matched',
      'Number of signals with a comparable random minute.',
    ],
    avg_return: [share, 'mean', 'Mean return of those signals, in percent.'],
    base_rate: [share, 'baseRate', 'Mean return of random minutes in the same cells, in percent.'],
    lift: [share, 'lift', 'Mean return of the signals above the base rate, in percent.'],
    lift_interval: [
      nullable(list(described(share, 'Percent.'))),
      'interval',
      'Bootstrap interval over resampled days: 95 % of the means lie between the two ' +
        'values. Null with fewer than 20 compared signals or fewer than five days of them: too few ' +
        'to say.',
    ],
  },
  {
    description:
      'Comparison with randomly drawn minutes of tokens of similar age, market cap and ' +
      'liquidity; null if no comparison is possible.',
  },
);

/** Returns of one exit rule and ticket. */
export const ExecutionBody = wireRecord<ExecutionStatistics>()({
  exit_rule: [word(EXIT_RULES), 'rule', 'Rule by which the position is closed.'],
  ticket_usd: [integer, 'ticketUsd', 'Position size in US dollars.'],
  signal_count: [integer, 'count', 'Number of signals whose position is closed.'],
  avg_return: [percent, 'meanE9'],
  median_return: [percent, 'medianE9'],
  win_rate: [
    nullable(share),
    'winShare',
    'Share of positions with a positive return; null if there are none.',
  ],
  random_minutes: [nullable(RandomMinutes), 'lift'],
});

/** Nesting of CONTRACT §2.6, without the fields that echo the request. */
const Statistics = wireRecord<SignalStatistics, readonly ExecutionStatistics[]>()({
  total_signals: [integer, 'count'],
  roi_statistics: [RoiStatistics, 'roi'],
  drawdown_statistics: [DrawdownStatistics, 'drawdown'],
  market_cap_statistics: [MarketCapStatistics, (statistics) => statistics],
  liquidity_statistics: [LiquidityStatistics, 'liquidity'],
  model_breakdown: [list(Model), 'models', 'By number of signals, descending.'],
  daily_breakdown: [list(Day), 'days', 'Oldest first. Days without signals are omitted.'],
  execution_statistics: [
    list(ExecutionBody),
    (_, execution) => execution,
    'Realisable returns (extension of the specification). The maximum ROI above is an upper ' +
      'bound that no trader achieves in practice.',
  ],
});

export const presentStatistics = Statistics.present;

export const SignalStatisticsBody = Type.Object(
  { ...rangeFields, ...Statistics.schema.properties },
  {
    description: 'Statistics of the signals in the requested range.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        ...RANGE_EXAMPLE,
        total_signals: 3,
        roi_statistics: {
          avg_max_roi: '46.666666667',
          median_max_roi: '50.000000000',
          min_roi: '-20.000000000',
          max_roi: '110.000000000',
          std_dev_roi: '65.064070986',
        },
        drawdown_statistics: {
          avg_drawdown_before_ath: '16.000000000',
          median_drawdown_before_ath: '20.000000000',
          min_drawdown: '8.000000000',
          max_drawdown: '20.000000000',
          std_dev_drawdown: '6.928203230',
        },
        market_cap_statistics: {
          avg_signal_market_cap: '100000.000000000',
          median_signal_market_cap: '100000.000000000',
          avg_ath_market_cap: '146666.666666667',
          median_ath_market_cap: '150000.000000000',
        },
        liquidity_statistics: {
          avg_liquidity_usd: '25000.000000000',
          median_liquidity_usd: '25000.000000000',
        },
        model_breakdown: [
          {
            model_name: 'organic_momentum',
            signal_count: 3,
            avg_max_roi: '46.666666667',
            median_max_roi: '50.000000000',
            avg_drawdown_before_ath: '16.000000000',
          },
        ],
        daily_breakdown: [{ date: '2025-01-15', signal_count: 3, avg_max_roi: '46.666666667' }],
        execution_statistics: [
          {
            exit_rule: 'hold_1h',
            ticket_usd: 200,
            signal_count: 3,
            avg_return: '-3.100000000',
            median_return: '-4.000000000',
            win_rate: '0.3333',
            random_minutes: {
              matched_signal_count: 2,
              avg_return: '-2.5000',
              base_rate: '-6.0000',
              lift: '3.5000',
              lift_interval: null,
            },
          },
        ],
      },
    ],
  },
);
