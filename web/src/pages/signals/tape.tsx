import { useMemo } from 'preact/hooks';
import { nameOf } from '../../format/names.ts';
import { formatAge, formatTime } from '../../format/times.ts';
import { nowMs } from '../../state/clock.ts';
import { query } from '../../state/router.ts';
import type { LiveRow } from '../../state/use-live-rows.ts';
import { useRead } from '../../state/use-read.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Button } from '../../ui/controls.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Percent } from '../../ui/percent.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import type { ExecutionChoice } from './lift-panel.tsx';
import { EXIT_TITLES, type Signal } from './signal-types.ts';
import { useTape } from './use-tape.ts';

/** The signals with their outcomes, newest first, live. */
export function Tape({ from, model, rule, ticketUsd }: ExecutionChoice) {
  const { rows, failure, hasMore, more, reload } = useTape(from, model);
  const columns = useMemo(() => columnsOf(rule, ticketUsd), [rule, ticketUsd]);
  return (
    <Panel title="Tape of signals" isFlush>
      {rows === null && failure === null && <Loading rows={6} />}
      {rows === null && failure !== null && <Failed failure={failure} onRetry={reload} />}
      {rows !== null && (
        <Table
          caption="Signals"
          columns={columns}
          rows={rows}
          keyOf={({ item: signal }) => String(signal.row_id)}
          hrefOf={({ item: signal }) => hrefOf(signal.row_id)}
          stateOf={({ isUndone }) => (isUndone ? 'undone' : null)}
          empty="No model gave a signal in this period. Models are silent most of the time."
        />
      )}
      {hasMore && (
        <p class="more">
          <Button onClick={more}>Older signals</Button>
        </p>
      )}
    </Panel>
  );
}

function hrefOf(rowId: number): string {
  const next = new URLSearchParams(query.value);
  next.set('signal', String(rowId));
  return `/signals?${next}`;
}

function columnsOf(
  rule: ExecutionChoice['rule'],
  ticketUsd: number,
): readonly Column<LiveRow<Signal>>[] {
  return [
    {
      key: 'age',
      title: 'Age',
      cell: ({ item: { created_at: at } }) => (
        <span title={formatTime(at)}>{formatAge(at, nowMs.value)}</span>
      ),
    },
    {
      key: 'token',
      title: 'Token',
      cell: ({ item: { token_address, symbol } }) => (
        <AddressLink address={token_address} kind="token" label={symbol} />
      ),
    },
    { key: 'model', title: 'Model', cell: ({ item: signal }) => nameOf(signal.model_name) },
    {
      key: 'return',
      title: 'After costs',
      hint: `${EXIT_TITLES[rule]}, $${ticketUsd}`,
      align: 'end',
      cell: ({ item: signal, isUndone }) =>
        isUndone ? 'taken back' : <Realised {...{ rule, ticketUsd }} rowId={signal.row_id} />,
    },
    {
      key: 'cap',
      title: 'Market cap then',
      align: 'end',
      isWideOnly: true,
      cell: ({ item: signal }) => <Figure value={signal.signal_market_cap} kind="usd" />,
    },
    {
      key: 'liquidity',
      title: 'Liquidity then',
      align: 'end',
      isWideOnly: true,
      cell: ({ item: signal }) => <Figure value={signal.liquidity_usd} kind="usd" />,
    },
    {
      key: 'fall',
      title: 'Fall before highest',
      align: 'end',
      isWideOnly: true,
      cell: ({ item: signal }) => <Percent value={signal.max_drawdown_percentage} isPlain />,
    },
    {
      key: 'highest',
      title: 'At highest',
      hint: 'At the highest price since: an upper bound that nobody gets',
      align: 'end',
      isWideOnly: true,
      cell: ({ item: signal }) => <Percent value={signal.roi_percentage} isPlain />,
    },
  ];
}

/** What a signal would have returned; only rows in sight are read. */
function Realised({
  rowId,
  rule,
  ticketUsd,
}: Pick<ExecutionChoice, 'rule' | 'ticketUsd'> & { readonly rowId: number }) {
  const { body } = useRead('/v1/signals/{row_id}', { row_id: rowId }, { everyMs: 60_000 });
  if (body === null) return <Percent value={null} reason="Being read" />;
  const tickets = body.execution.returns.find(({ exit_rule }) => exit_rule === rule)?.tickets;
  if (tickets == null) return <span class="muted">open</span>;
  const ticket = tickets.find(({ ticket_usd }) => ticket_usd === ticketUsd);
  return <Percent value={ticket?.return_percentage ?? null} />;
}
