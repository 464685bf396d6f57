import { useState } from 'preact/hooks';
import type { Hit } from '../../../api/rule-hit.ts';
import type { LiveRows } from '../../../state/use-live-rows.ts';
import { Button } from '../../../ui/controls.tsx';
import { hitColumns } from '../../../ui/hit-columns.tsx';
import { HitDialog } from '../../../ui/hit-dialog.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';

const COLUMNS = ['age', 'rule', 'kind', 'confidence', 'reasons'] as const;

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
          columns={hitColumns(COLUMNS, setOpened)}
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
