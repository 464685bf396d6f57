import { nameOf } from '../../format/names.ts';
import { formatCount } from '../../format/numbers.ts';
import { choiceInQuery, setQuery } from '../../state/router.ts';
import { Segments } from '../../ui/controls.tsx';
import { FigureRow, NamedFigure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty, TooFew } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { EXECUTION_COLUMNS } from './execution-columns.tsx';
import { DELAY_TITLES, type Delay, HITS_NEEDED, type Report } from './report-types.ts';

/** Returns of the hits by exit and size, entered after a chosen delay. */
export function ReturnsPanel({ report }: { readonly report: Report }) {
  const delays = report.delays.map((one) => one.entry_delay);
  const [first] = delays;
  if (first === undefined) return null;
  const chosen = choiceInQuery('delay', [first, ...delays.slice(1)]);
  const delay = report.delays.find((one) => one.entry_delay === chosen);
  return (
    <Panel
      title="Returns after all costs"
      isFlush
      actions={
        <Segments
          label="Time between the hit and the trade"
          value={chosen}
          options={delays.map((value) => ({ value, title: DELAY_TITLES[value] }))}
          onChange={(value) => setQuery({ delay: value === first ? null : value })}
        />
      }
    >
      {report.hits === 0 && <Empty>The rule has no hit in this range.</Empty>}
      {report.hits > 0 && report.hits < HITS_NEEDED && (
        <TooFew count={report.hits} needed={HITS_NEEDED} />
      )}
      {report.hits > 0 && delay !== undefined && <Returns delay={delay} />}
    </Panel>
  );
}

function Returns({ delay }: { readonly delay: Delay }) {
  const capacities = Object.entries(delay.capacity_usd);
  return (
    <>
      <Table
        caption="Returns by exit and size"
        columns={EXECUTION_COLUMNS}
        rows={delay.execution_statistics}
        keyOf={({ exit_rule, ticket_usd }) => `${exit_rule} ${ticket_usd}`}
        visibleRows={12}
      />
      <div class="report-part">
        <FigureRow>
          <NamedFigure name="Entries that failed">{formatCount(delay.failed)}</NamedFigure>
          <NamedFigure name="Still open">{formatCount(delay.open)}</NamedFigure>
          <NamedFigure name="Without a price">{formatCount(delay.unpriced)}</NamedFigure>
        </FigureRow>
        <h3>Capacity</h3>
        <p class="muted">The largest size whose mean return is above zero, by exit.</p>
        <FigureRow>
          {capacities.map(([exit, usd]) => (
            <NamedFigure key={exit} name={nameOf(exit)}>
              {usd === null ? <span class="muted">none</span> : `$${formatCount(usd)}`}
            </NamedFigure>
          ))}
        </FigureRow>
      </div>
    </>
  );
}
