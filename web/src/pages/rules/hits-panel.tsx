import { useState } from 'preact/hooks';
import { query, setQuery } from '../../state/router.ts';
import { useRead } from '../../state/use-read.ts';
import { Button, Select } from '../../ui/controls.tsx';
import { hitColumns } from '../../ui/hit-columns.tsx';
import { HitDialog } from '../../ui/hit-dialog.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { type Hit, type Rule, ruleKeyOf } from './rule-types.ts';
import { type ChosenRule, useHits } from './use-hits.ts';

const ALL = 'all';
const COLUMNS = ['age', 'token', 'confidence', 'rule', 'price', 'reasons'] as const;

/** Hits of one rule, or of all as they come. */
export function HitsPanel() {
  const rules = useRead('/v1/rules', {}).body?.rules ?? [];
  const chosen = chosenRule(query.value.get('rule'));
  const [opened, setOpened] = useState<Hit | null>(null);
  const { rows, failure, hasMore, more, reload } = useHits(chosen);
  return (
    <div class="rules">
      <Panel
        title="Hits"
        isFlush
        actions={
          <Select
            label="Rule"
            value={chosen === null ? ALL : ruleKeyOf(chosen)}
            options={optionsOf(rules, chosen)}
            onChange={(key) => setQuery({ rule: key === ALL ? null : key })}
          />
        }
      >
        {rows === null && failure === null && <Loading rows={6} />}
        {rows === null && failure !== null && <Failed failure={failure} onRetry={reload} />}
        {rows !== null && (
          <Table
            caption="Hits"
            columns={hitColumns(COLUMNS, setOpened)}
            rows={rows}
            keyOf={({ item: hit }) => String(hit.row_id)}
            stateOf={({ isUndone }) => (isUndone ? 'undone' : null)}
            hrefOf={({ item: hit }) => `/token/${encodeURIComponent(hit.token_address)}`}
            empty={
              chosen === null
                ? 'No hit since this page was opened. Choose a rule for its earlier ones.'
                : 'This rule has not passed yet. It is judged from the slot of its publication on.'
            }
          />
        )}
        {hasMore && (
          <p class="more">
            <Button onClick={more}>Older hits</Button>
          </p>
        )}
        {opened !== null && <HitDialog hit={opened} onClose={() => setOpened(null)} />}
      </Panel>
    </div>
  );
}

/** The rule of `account/name` or `operator/name` in the address; null for all. */
function chosenRule(key: string | null): ChosenRule | null {
  const [, author, name] = /^(account|operator)\/([a-z0-9-]{1,64})$/.exec(key ?? '') ?? [];
  return name === undefined ? null : { author: author as ChosenRule['author'], name };
}

function optionsOf(rules: readonly Rule[], chosen: ChosenRule | null) {
  const keys = new Set(rules.map(ruleKeyOf));
  // Hits of a rule stay when it is withdrawn.
  if (chosen !== null) keys.add(ruleKeyOf(chosen));
  return [
    { value: ALL, title: 'All, as they come' },
    ...[...keys].map((key) => ({ value: key, title: key.replace(/^account\//, '') })),
  ];
}
