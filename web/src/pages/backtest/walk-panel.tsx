import { formatCount } from '../../format/numbers.ts';
import { formatTime } from '../../format/times.ts';
import { ChainText } from '../../ui/chain-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty, TooFew } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { EXECUTION_COLUMNS } from './execution-columns.tsx';
import { HITS_NEEDED, type Walk } from './report-types.ts';

type Week = Walk['weeks'][number];

/** The variant that was best before each week, tested in that week. */
export function WalkPanel({
  walk,
  rules,
}: {
  readonly walk: Walk | null;
  readonly rules: readonly string[];
}) {
  return (
    <Panel title="Walk-forward" isFlush={walk !== null}>
      {walk === null && (
        <Empty>None without variants of the rule, or for less than three weeks.</Empty>
      )}
      {walk !== null && <Weeks walk={walk} rules={rules} />}
    </Panel>
  );
}

function Weeks({ walk, rules }: { readonly walk: Walk; readonly rules: readonly string[] }) {
  const hits = walk.weeks.reduce((sum, week) => sum + week.hits, 0);
  return (
    <>
      <p class="report-part muted">
        For each week the variant that was best on the weeks before; all weeks together, entered
        after 10 seconds:
      </p>
      {hits < HITS_NEEDED && <TooFew count={hits} needed={HITS_NEEDED} />}
      <Table
        caption="Result of the walk-forward"
        columns={EXECUTION_COLUMNS}
        rows={[walk.result]}
        keyOf={() => 'result'}
        visibleRows={2}
      />
      <Table
        caption="Weeks of the walk-forward"
        columns={columnsOf(rules)}
        rows={walk.weeks}
        keyOf={({ from }) => from}
        visibleRows={10}
      />
    </>
  );
}

function columnsOf(rules: readonly string[]): readonly Column<Week>[] {
  return [
    { key: 'from', title: 'From', cell: ({ from }) => formatTime(from) },
    { key: 'to', title: 'To', isWideOnly: true, cell: ({ to }) => formatTime(to) },
    {
      key: 'variant',
      title: 'Variant',
      cell: ({ variant }) =>
        variant === null ? (
          <span class="muted">the rule, too few hits before</span>
        ) : (
          <ChainText text={rules[variant]} fallback={String(variant)} lengthMax={100} />
        ),
    },
    { key: 'hits', title: 'Hits', align: 'end', cell: ({ hits }) => formatCount(hits) },
  ];
}
