import { formatCount } from '../../format/numbers.ts';
import { formatTime } from '../../format/times.ts';
import { Figure, FigureRow, NamedFigure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Report } from './report-types.ts';

/** What was judged, how often it was tried, and what was assumed. */
export function SummaryPanel({ name, report }: { readonly name: string; readonly report: Report }) {
  const { options } = report;
  return (
    <Panel title={name}>
      <p>
        {formatTime(options.from)} to {formatTime(options.to)}
        {report.first_slot === null || report.last_slot === null
          ? '. The log has no slot of this range.'
          : `, slots ${formatCount(report.first_slot)} to ${formatCount(report.last_slot)}.`}
      </p>
      <FigureRow>
        <NamedFigure name="Judged minutes">{formatCount(report.judged_minutes)}</NamedFigure>
        <NamedFigure name="Random minutes drawn">
          {formatCount(report.compared_minutes)}
        </NamedFigure>
        <NamedFigure name="Hits">{formatCount(report.hits)}</NamedFigure>
        <NamedFigure name="Tokens hit">{formatCount(report.hit_tokens)}</NamedFigure>
        <NamedFigure name="Tries charged">{formatCount(report.tries)}</NamedFigure>
        <NamedFigure name="Deflated Sharpe ratio">
          <Figure
            value={report.deflated_sharpe}
            kind="percent"
            reason="Too few to say: probability that the true ratio is above the luck of the tries"
          />
        </NamedFigure>
      </FigureRow>
      <p class="muted">
        Assumed: <Figure value={options.failed_share} kind="percent" /> of the entries fail; network{' '}
        {options.network_sol} SOL and tip {options.tip_sol} SOL a transaction; terminal{' '}
        <Figure value={options.terminal_fee} kind="percent" />;{' '}
        <Figure value={options.control_share} kind="percent" /> of the minutes drawn for comparison.
      </p>
      <details>
        <summary>Rules</summary>
        <ul class="address">
          {report.rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}
