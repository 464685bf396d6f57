import { useState } from 'preact/hooks';
import { isFailure, send } from '../../api/client.ts';
import { formatCount } from '../../format/numbers.ts';
import { useRead } from '../../state/use-read.ts';
import { Badge } from '../../ui/badge.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button } from '../../ui/controls.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { RuleForm } from './rule-form.tsx';
import { type ChangedRule, type Rule, ruleKeyOf } from './rule-types.ts';

/** A rule is judged some slots after its publication. */
const READ_EVERY_MS = 5_000;

/** The rules of the account and of the operator, and the form for a new one. */
export function RulesPanel({ mayWrite }: { readonly mayWrite: boolean }) {
  const read = useRead('/v1/rules', {}, { everyMs: READ_EVERY_MS });
  const [withdrawn, setWithdrawn] = useState<Rule | null>(null);
  const { reload } = read;
  return (
    <div class="rules">
      <Panel title="Rules" isFlush>
        <ReadView read={read}>
          {({ rules }) => (
            <Table
              caption="Rules"
              columns={columnsOf(mayWrite, setWithdrawn)}
              rows={rules}
              keyOf={ruleKeyOf}
              hrefOf={(rule) => `/rules?tab=hits&rule=${encodeURIComponent(ruleKeyOf(rule))}`}
              empty="No rules yet. A rule says when a pool is worth an alert, a label or a signal."
            />
          )}
        </ReadView>
      </Panel>
      {mayWrite && <RuleForm onDone={reload} />}
      {withdrawn !== null && (
        <ConfirmDialog
          title="Withdraw the rule?"
          action="Withdraw"
          act={async () => {
            const failure = await withdraw(withdrawn);
            if (failure === null) reload();
            return failure;
          }}
          onClose={() => setWithdrawn(null)}
        >
          <ChainText text={withdrawn.name} /> is not judged any more from the next slot on. Its hits
          stay.
        </ConfirmDialog>
      )}
    </div>
  );
}

async function withdraw({ name }: Rule): Promise<string | null> {
  const answer = await send<ChangedRule>('DELETE', `/v1/rules/${encodeURIComponent(name)}`);
  return isFailure(answer) ? answer.message : null;
}

function columnsOf(mayWrite: boolean, onWithdraw: (rule: Rule) => void): readonly Column<Rule>[] {
  return [
    {
      key: 'name',
      title: 'Rule',
      cell: ({ name, author }) => (
        <>
          <ChainText text={name} lengthMax={40} />{' '}
          {author === 'operator' && (
            <Badge title="A rule of the operator, whose hits are for all accounts.">operator</Badge>
          )}
        </>
      ),
    },
    { key: 'version', title: 'Version', align: 'end', cell: ({ version }) => version },
    { key: 'kind', title: 'Kind', cell: ({ kind }) => kind },
    {
      key: 'state',
      title: 'State',
      cell: ({ is_judged }) =>
        is_judged ? (
          <Badge tone="good">judged</Badge>
        ) : (
          <Badge title="The next slot takes it up, within seconds while a chain is followed.">
            waiting
          </Badge>
        ),
    },
    {
      key: 'hits',
      title: 'Hits',
      hint: 'Of all versions of this name',
      align: 'end',
      cell: ({ hit_count }) => formatCount(hit_count),
    },
    {
      key: 'title',
      title: 'Title',
      isWideOnly: true,
      cell: ({ title }) => <ChainText text={title} lengthMax={60} />,
    },
    {
      key: 'hash',
      title: 'Hash',
      hint: 'SHA-256 of the content',
      isWideOnly: true,
      cell: ({ hash }) => (
        <span class="address" title={hash}>
          {hash.slice(0, 16)} <CopyButton text={hash} label="hash" />
        </span>
      ),
    },
    {
      key: 'actions',
      title: '',
      align: 'end',
      cell: (rule) =>
        mayWrite &&
        rule.author === 'account' && (
          <Button kind="danger" onClick={() => onWithdraw(rule)}>
            Withdraw
          </Button>
        ),
    },
  ];
}
