import { useState } from 'preact/hooks';
import type { Hit } from '../../../api/rule-hit.ts';
import { formatAge, formatTime } from '../../../format/times.ts';
import { nowMs } from '../../../state/clock.ts';
import type { LiveRow, LiveRows } from '../../../state/use-live-rows.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ChainText } from '../../../ui/chain-text.tsx';
import { Button } from '../../../ui/controls.tsx';
import { Figure } from '../../../ui/figure.tsx';
import { HitDialog } from '../../../ui/hit-dialog.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RuleName } from '../../../ui/rule-name.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { type Column, Table } from '../../../ui/table.tsx';

/** Where rules passed for the token: no verdict of the service, so apart from its findings. */
export function TokenHitsPanel({ hits }: { readonly hits: LiveRows<Hit> }) {
  const { rows, failure, hasMore, more, reload } = hits;
  const [opened, setOpened] = useState<Hit | null>(null);
  return (
    <Panel title="Hits of rules" isFlush>
      {rows === null && failure === null && <Loading rows={2} />}
      {rows === null && failure !== null && <Failed failure={failure} onRetry={reload} />}
      {rows !== null && (
        <Table
          caption="Hits of rules of yours and of the operator for this token"
          columns={columnsOf(setOpened)}
          rows={rows}
          keyOf={({ item }) => String(item.row_id)}
          stateOf={({ isUndone }) => (isUndone ? 'undone' : null)}
          visibleRows={8}
          empty="No rule of yours or of the operator passed for this token."
        />
      )}
      {hasMore && (
        <p class="more">
          <Button onClick={more}>Older hits</Button>
        </p>
      )}
      {opened !== null && <HitDialog hit={opened} onClose={() => setOpened(null)} />}
    </Panel>
  );
}

function columnsOf(onOpen: (hit: Hit) => void): readonly Column<LiveRow<Hit>>[] {
  return [
    {
      key: 'age',
      title: 'Age',
      cell: ({ item: { created_at: at } }) => (
        <span title={formatTime(at)}>{formatAge(at, nowMs.value)}</span>
      ),
    },
    { key: 'rule', title: 'Rule', cell: ({ item }) => <RuleName hit={item} /> },
    { key: 'kind', title: 'Kind', isWideOnly: true, cell: ({ item }) => item.kind },
    {
      key: 'confidence',
      title: 'Confidence',
      align: 'end',
      cell: ({ item, isUndone }) =>
        isUndone ? (
          <Badge tone="warning">taken back by a fork</Badge>
        ) : (
          <Figure value={String(item.confidence)} kind="percent" />
        ),
    },
    {
      key: 'reasons',
      title: 'Reasons',
      isWideOnly: true,
      cell: ({ item }) => <ChainText text={item.reasons.join(' ')} lengthMax={120} />,
    },
    {
      key: 'evidence',
      title: '',
      align: 'end',
      cell: ({ item }) => <Button onClick={() => onOpen(item)}>Evidence</Button>,
    },
  ];
}
