import { useState } from 'preact/hooks';
import { isFailure, send } from '../../api/client.ts';
import { formatTime } from '../../format/times.ts';
import { useRead } from '../../state/use-read.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button } from '../../ui/controls.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { conditionText, type Trigger, targetOf } from './alert-types.ts';
import { TriggerForm } from './trigger-form.tsx';

/** All triggers of the account, and the form for a new or an edited one. */
export function Triggers({ mayWrite }: { readonly mayWrite: boolean }) {
  const read = useRead('/v1/triggers', { per_page: 1_000 });
  const [edited, setEdited] = useState<Trigger | null>(null);
  const [removed, setRemoved] = useState<Trigger | null>(null);
  const { reload } = read;
  const onDone = () => {
    setEdited(null);
    reload();
  };
  return (
    <div class="alerts">
      <Panel title="Triggers" isFlush>
        <ReadView read={read}>
          {({ triggers, total }) => (
            <>
              <Table
                caption="Triggers"
                columns={columnsOf(mayWrite, setEdited, setRemoved)}
                rows={triggers}
                keyOf={({ trigger_id }) => trigger_id}
                empty="No triggers yet. One fires when all its conditions on a pool become true."
              />
              {total > triggers.length && (
                <p class="more muted">
                  The first {triggers.length} of {total}.
                </p>
              )}
            </>
          )}
        </ReadView>
      </Panel>
      {mayWrite && (
        <TriggerForm
          key={edited?.trigger_id ?? 'new'}
          edited={edited}
          onDone={onDone}
          onCancel={() => setEdited(null)}
        />
      )}
      {removed !== null && (
        <ConfirmDialog
          title="Remove the trigger?"
          action="Remove"
          act={async () => {
            const failure = await remove(removed);
            if (failure === null) reload();
            return failure;
          }}
          onClose={() => setRemoved(null)}
        >
          <ChainText text={removed.trigger_id} /> is not judged any more. Its firings stay.
        </ConfirmDialog>
      )}
    </div>
  );
}

async function remove({ trigger_id }: Trigger): Promise<string | null> {
  const answer = await send<Trigger>('DELETE', '/v1/triggers/remove', { trigger_id });
  return isFailure(answer) ? answer.message : null;
}

function columnsOf(
  mayWrite: boolean,
  onEdit: (trigger: Trigger) => void,
  onRemove: (trigger: Trigger) => void,
): readonly Column<Trigger>[] {
  return [
    {
      key: 'id',
      title: 'Trigger',
      cell: ({ trigger_id }) => <ChainText text={trigger_id} lengthMax={32} />,
    },
    {
      key: 'target',
      title: 'Pool or token',
      isWideOnly: true,
      cell: (trigger) => {
        const { kind, address } = targetOf(trigger);
        return <AddressLink address={address} kind={kind === 'token' ? kind : 'other'} />;
      },
    },
    {
      key: 'conditions',
      title: 'Fires when',
      cell: ({ conditions }) => {
        const text = conditions.map(conditionText).join(' and ');
        return (
          <span class="conditions-text" title={text}>
            {text}
          </span>
        );
      },
    },
    {
      key: 'changed',
      title: 'Changed',
      isWideOnly: true,
      cell: ({ updated_at }) => formatTime(updated_at),
    },
    {
      key: 'actions',
      title: '',
      align: 'end',
      cell: (trigger) =>
        mayWrite && (
          <span class="row-actions">
            <Button onClick={() => onEdit(trigger)}>Edit</Button>
            <Button kind="danger" onClick={() => onRemove(trigger)}>
              Remove
            </Button>
          </span>
        ),
    },
  ];
}
