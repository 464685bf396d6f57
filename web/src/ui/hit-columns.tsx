import type { Hit } from '../api/rule-hit.ts';
import { formatAge, formatTime } from '../format/times.ts';
import { nowMs } from '../state/clock.ts';
import type { LiveRow } from '../state/use-live-rows.ts';
import { AddressLink } from './address-link.tsx';
import { Badge } from './badge.tsx';
import { ChainText } from './chain-text.tsx';
import { Button } from './controls.tsx';
import { Figure } from './figure.tsx';
import { RuleName } from './rule-name.tsx';
import type { Column } from './table.tsx';

const COLUMNS = {
  age: {
    title: 'Age',
    cell: ({ item: { created_at: at } }) => (
      <span title={formatTime(at)}>{formatAge(at, nowMs.value)}</span>
    ),
  },
  token: {
    title: 'Token',
    cell: ({ item }) => <AddressLink address={item.token_address} kind="token" />,
  },
  rule: { title: 'Rule', cell: ({ item }) => <RuleName hit={item} /> },
  kind: { title: 'Kind', isWideOnly: true, cell: ({ item }) => item.kind },
  confidence: {
    title: 'Confidence',
    align: 'end',
    cell: ({ item, isUndone }) =>
      isUndone ? (
        <Badge tone="warning">taken back by a fork</Badge>
      ) : (
        <Figure value={String(item.confidence)} kind="percent" />
      ),
  },
  price: {
    title: 'Price then',
    align: 'end',
    isWideOnly: true,
    cell: ({ item }) => <Figure value={item.price_usd} kind="price" />,
  },
  reasons: {
    title: 'Reasons',
    isWideOnly: true,
    cell: ({ item }) => <ChainText text={item.reasons.join(' ')} lengthMax={120} />,
  },
} as const satisfies Readonly<Record<string, Omit<Column<LiveRow<Hit>>, 'key'>>>;

/** These columns of hits in this order, and at the end a button for the evidence of each. */
export function hitColumns(
  keys: readonly (keyof typeof COLUMNS)[],
  onOpen: (hit: Hit) => void,
): readonly Column<LiveRow<Hit>>[] {
  return [
    ...keys.map((key) => ({ key, ...COLUMNS[key] })),
    {
      key: 'evidence',
      title: '',
      align: 'end',
      cell: ({ item }) => <Button onClick={() => onOpen(item)}>Evidence</Button>,
    },
  ];
}
