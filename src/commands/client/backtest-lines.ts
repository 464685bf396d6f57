import type { Static } from 'typebox';
import type { BacktestBody } from '../../api/present/backtest-body.ts';
import { wrapText } from '../../lib/terminal/wrap-text.ts';
import type { Page } from './client-command.ts';
import { NOTHING, shown } from './shown.ts';

type Job = Static<typeof BacktestBody.schema>;
type Report = NonNullable<Job['report']>;
type Delay = Report['delays'][number];
type Execution = Delay['execution_statistics'][number];

const TOO_FEW = 'too few to say';

/** What a rule would have been worth, for people. */
export function backtestLines(report: Report, page: Page): string[] {
  const { style } = page;
  return [
    style('bold', report.rules.map(shown).join(', ')),
    `${report.hits} hits in ${report.hit_tokens} tokens, of ${report.judged_minutes} judged minutes; ` +
      `${report.compared_minutes} random minutes for comparison; charged for ${report.tries} tries`,
    ...report.delays.flatMap((delay) => delayLines(delay, page)),
    '',
    `deflated Sharpe ratio: ${report.deflated_sharpe ?? TOO_FEW}`,
    ...walkLines(report),
    ...lookAheadLines(report.look_ahead, page),
    '',
    ...wrapText(
      'Returns are percent of the ticket after pool fee, terminal fee, network fee, tip and the ' +
        'impact of the order; failed entries and tokens that died are in them. The lift is the ' +
        'difference to random minutes of tokens of like age, market cap and liquidity. The past says ' +
        'little about the future.',
      page.columns,
    ),
  ];
}

/** The result of the look-ahead proof. */
export function lookAheadLines(proof: Report['look_ahead'], { style }: Page): string[] {
  if (proof === null) return ['look-ahead proof: not asked for'];
  const { checked_hits: checked, faults } = proof;
  if (faults.length === 0) {
    return [`look-ahead proof: the log was cut at ${checked} hits, and every feature was the same`];
  }
  return [
    style('red', `look-ahead proof: ${faults.length} features are others when the log is cut`),
    ...faults.map(
      ({ feature, slot, backtest_value, cut_value }) =>
        `  ${shown(feature)} at slot ${slot}: ${shown(backtest_value)}, cut ${shown(cut_value)}`,
    ),
  ];
}

function delayLines(delay: Delay, { style }: Page): string[] {
  const { entry_delay, failed, open, unpriced, execution_statistics: rows, capacity_usd } = delay;
  return [
    '',
    style('bold', `entered after ${entry_delay.replace('_', ' ')}`) +
      ` (${failed} failed, ${open} open, ${unpriced} without a price)`,
    'exit                  ticket  closed      mean    median   lift  95 of 100, charged   capacity',
    ...rows.map((row) => executionLine(row, capacity_usd[row.exit_rule])),
  ];
}

function executionLine(row: Execution, capacityUsd: number | null): string {
  const lift = row.random_minutes?.lift;
  const interval = row.charged_interval;
  const range =
    interval === null ? TOO_FEW : interval.map((end) => Number(end).toFixed(2)).join(' to ');
  return [
    row.exit_rule.padEnd(20),
    `$${row.ticket_usd}`.padStart(7),
    String(row.signal_count).padStart(7),
    Number(row.avg_return).toFixed(2).padStart(9),
    Number(row.median_return).toFixed(2).padStart(9),
    (lift === undefined ? NOTHING : Number(lift).toFixed(2)).padStart(6),
    range.padStart(19),
    (capacityUsd === null ? NOTHING : `$${capacityUsd}`).padStart(10),
  ].join(' ');
}

function walkLines({ walk_forward: walk }: Report): string[] {
  if (walk === null) return [];
  const { result, weeks } = walk;
  const chosen = weeks.map(({ variant, hits }) => `${variant ?? NOTHING} (${hits})`).join(', ');
  return [`walk-forward, variant (hits) by week: ${chosen}`, executionLine(result, null)];
}
