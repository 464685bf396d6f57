import type { Static } from 'typebox';
import type { ExecutionStatistics, Lift, SignalStatistics } from '../../model/signal-statistics.ts';
import type { SignalStatisticsBody } from '../schemas/signal-statistics-body.ts';
import { formatDigits } from './format-wire.ts';
import { formatNine } from './present-signal.ts';

const RATIO_DIGITS = 4;

type Body = Static<typeof SignalStatisticsBody>;

/** Statistics as in CONTRACT §2.6, without the fields that echo the request. */
export function presentStatistics(
  statistics: SignalStatistics,
  execution: readonly ExecutionStatistics[],
): Omit<Body, 'from_date' | 'to_date' | 'model_name'> {
  return {
    total_signals: statistics.count,
    ...presentSummaries(statistics),
    ...presentCenters(statistics),
    model_breakdown: statistics.models.map((model) => ({
      model_name: model.model,
      signal_count: model.count,
      avg_max_roi: formatNine(model.meanRoiE9),
      median_max_roi: formatNine(model.medianRoiE9),
      avg_drawdown_before_ath: formatNine(model.meanDrawdownE9),
    })),
    daily_breakdown: statistics.days.map(({ date, count, meanRoiE9 }) => ({
      date,
      signal_count: count,
      avg_max_roi: formatNine(meanRoiE9),
    })),
    execution_statistics: execution.map(presentExecution),
  };
}

function presentSummaries({
  roi,
  drawdown,
}: SignalStatistics): Pick<Body, 'roi_statistics' | 'drawdown_statistics'> {
  return {
    roi_statistics: {
      avg_max_roi: formatNine(roi.mean),
      median_max_roi: formatNine(roi.median),
      min_roi: formatNine(roi.min),
      max_roi: formatNine(roi.max),
      std_dev_roi: formatNine(roi.deviation),
    },
    drawdown_statistics: {
      avg_drawdown_before_ath: formatNine(drawdown.mean),
      median_drawdown_before_ath: formatNine(drawdown.median),
      min_drawdown: formatNine(drawdown.min),
      max_drawdown: formatNine(drawdown.max),
      std_dev_drawdown: formatNine(drawdown.deviation),
    },
  };
}

function presentCenters({
  marketCap,
  athMarketCap,
  liquidity,
}: SignalStatistics): Pick<Body, 'market_cap_statistics' | 'liquidity_statistics'> {
  return {
    market_cap_statistics: {
      avg_signal_market_cap: formatNine(marketCap.mean),
      median_signal_market_cap: formatNine(marketCap.median),
      avg_ath_market_cap: formatNine(athMarketCap.mean),
      median_ath_market_cap: formatNine(athMarketCap.median),
    },
    liquidity_statistics: {
      avg_liquidity_usd: formatNine(liquidity.mean),
      median_liquidity_usd: formatNine(liquidity.median),
    },
  };
}

function presentExecution(found: ExecutionStatistics): Body['execution_statistics'][number] {
  return {
    exit_rule: found.rule,
    ticket_usd: found.ticketUsd,
    signal_count: found.count,
    avg_return: formatNine(found.meanE9),
    median_return: formatNine(found.medianE9),
    win_rate: formatDigits(found.winShare, RATIO_DIGITS),
    random_minutes: found.lift && presentLift(found.lift),
  };
}

function presentLift({ matched, mean, baseRate, lift, interval }: Lift) {
  const percent = (value: number) => value.toFixed(RATIO_DIGITS);
  return {
    matched_signal_count: matched,
    avg_return: percent(mean),
    base_rate: percent(baseRate),
    lift: percent(lift),
    lift_interval: interval === null ? null : interval.map(percent),
  };
}
