import { formatCount } from '../../format/numbers.ts';
import { formatAge, formatTime } from '../../format/times.ts';
import { nowMs } from '../../state/clock.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import {
  FIELDS,
  type Field,
  type Firing,
  hitText,
  OPERATORS,
  type Operator,
} from './alert-types.ts';
import { useFirings } from './use-firings.ts';

/** Firings as they come, with what was compared. */
export function Firings() {
  const { firings, failure, reload } = useFirings();
  return (
    <Panel title="Firings" isFlush>
      {firings === null && failure === null && <Loading rows={6} />}
      {firings === null && failure !== null && <Failed failure={failure} onRetry={reload} />}
      {firings !== null && (
        <Table
          caption="Firings"
          columns={COLUMNS}
          rows={firings}
          keyOf={({ seq }) => String(seq)}
          stateOf={({ retracted_at }) => (retracted_at === null ? null : 'undone')}
          hrefOf={({ pool }) => `/token/${pool.token_address}`}
          empty="No trigger has fired yet."
        />
      )}
    </Panel>
  );
}

const COLUMNS: readonly Column<Firing>[] = [
  { key: 'seq', title: 'No.', align: 'end', cell: ({ seq }) => formatCount(seq) },
  {
    key: 'age',
    title: 'Age',
    cell: ({ fired_at: at }) => <span title={formatTime(at)}>{formatAge(at, nowMs.value)}</span>,
  },
  {
    key: 'trigger',
    title: 'Trigger',
    cell: ({ trigger_id }) => <ChainText text={trigger_id} lengthMax={32} />,
  },
  {
    key: 'token',
    title: 'Token',
    cell: ({ pool }) => <AddressLink address={pool.token_address} kind="token" />,
  },
  {
    key: 'compared',
    title: 'Compared',
    cell: ({ conditions }) => {
      const text = conditions === null ? null : comparedText(conditions);
      return text === null ? (
        <span class="muted">not recorded</span>
      ) : (
        <span title={text}>{text}</span>
      );
    },
  },
  {
    key: 'slot',
    title: 'Slot',
    align: 'end',
    isWideOnly: true,
    cell: ({ slot }) => formatCount(slot),
  },
  {
    key: 'state',
    title: 'State',
    cell: ({ retracted_at: at }) =>
      at === null ? (
        'fired'
      ) : (
        <Badge tone="warning" title={formatTime(at)}>
          taken back by a fork
        </Badge>
      ),
  },
];

/** Each condition with the figure that was compared, as `price, USD 0.6 is above 0.5`. */
function comparedText(conditions: NonNullable<Firing['conditions']>): string {
  return conditions
    .map(({ field, operator, value, compared, rule_id, author }) => {
      const name =
        rule_id === undefined ? (FIELDS[field as Field] ?? field) : hitText(rule_id, author);
      const words = OPERATORS[operator as Operator] ?? operator;
      return `${name} ${compared ?? 'not recorded'} ${words} ${value}`;
    })
    .join(' and ');
}
