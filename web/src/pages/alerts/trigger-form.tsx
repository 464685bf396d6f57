import { useState } from 'preact/hooks';
import { isFailure, send } from '../../api/client.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Condition, type Trigger, targetOf } from './alert-types.ts';
import { ConditionRow } from './condition-row.tsx';
import { errorAt, type FieldError, fieldErrorOf } from './field-errors.ts';
import { previewOf } from './preview.ts';
import { useTarget } from './use-target.ts';

const CONDITIONS_MAX = 32;
const FIRST: Condition = { field: 'price_usd', operator: 'gt', value: '' };

/** Adds a trigger, or changes the conditions of one. */
export function TriggerForm({
  edited,
  onDone,
  onCancel,
}: {
  readonly edited: Trigger | null;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}) {
  const watched = edited === null ? null : targetOf(edited);
  const [id, setId] = useState(edited?.trigger_id ?? '');
  const [address, setAddress] = useState(watched?.address ?? '');
  const [conditions, setConditions] = useState<readonly Condition[]>(edited?.conditions ?? [FIRST]);
  const [error, setError] = useState<FieldError | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const target = useTarget(address);
  const submit = async () => {
    setSending(true);
    const body = { trigger_id: id.trim(), conditions };
    const answer =
      edited === null
        ? await send<Trigger>('POST', '/v1/triggers/add', {
            ...body,
            target: target.watched ?? { pair_address: address.trim() },
          })
        : await send<Trigger>('PUT', '/v1/triggers/update', body);
    setSending(false);
    setError(isFailure(answer) ? fieldErrorOf(answer) : null);
    if (isFailure(answer)) return;
    setAdded(edited === null ? id.trim() : null);
    if (edited === null) setId('');
    onDone();
  };
  const isElsewhere = error !== null && !isShownAtField(error);
  return (
    <Panel title={edited === null ? 'New trigger' : 'Edit the trigger'}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {added !== null && (
          <Notice tone="good" onDismiss={() => setAdded(null)}>
            Added. It is judged after every slot that changes the pool.
          </Notice>
        )}
        {edited === null || watched === null ? (
          <div class="form-row">
            <TextField
              label="Name of the trigger"
              value={id}
              onChange={setId}
              error={errorAt(error, 'trigger_id')}
              hint="Of your choice, at most 64 characters."
            />
            <TextField
              label="Pool or token address"
              value={address}
              onChange={setAddress}
              error={errorAt(error, 'target')}
              hint={target.note}
            />
          </div>
        ) : (
          <p class="muted">
            {edited.trigger_id}, {watched.kind} {watched.address}
          </p>
        )}
        <Conditions
          conditions={conditions}
          setConditions={setConditions}
          figures={target.figures}
          error={error}
        />
        <p class="preview" role="status">
          {previewOf(conditions, target.figures)}
        </p>
        {isElsewhere && <Notice tone="bad">{error.message}</Notice>}
        <p class="form-actions">
          <Button kind="primary" type="submit" isDisabled={isSending}>
            {edited === null ? 'Add the trigger' : 'Save the conditions'}
          </Button>
          {edited !== null && <Button onClick={onCancel}>Cancel</Button>}
        </p>
      </form>
    </Panel>
  );
}

const SHOWN_FIELDS: ReadonlySet<string> = new Set(['trigger_id', 'target']);

function isShownAtField({ field, index }: FieldError): boolean {
  return index !== null || (field !== null && SHOWN_FIELDS.has(field));
}

function Conditions({
  conditions,
  setConditions,
  figures,
  error,
}: {
  readonly conditions: readonly Condition[];
  readonly setConditions: (conditions: readonly Condition[]) => void;
  readonly figures: Parameters<typeof previewOf>[1];
  readonly error: FieldError | null;
}) {
  const change = (index: number, next: Condition) => setConditions(conditions.with(index, next));
  return (
    <fieldset class="conditions">
      <legend>Fires when all of these become true</legend>
      {conditions.map((condition, index) => (
        <ConditionRow
          key={index}
          position={index}
          condition={condition}
          figures={figures}
          error={error}
          onChange={(next) => change(index, next)}
          onRemove={
            conditions.length > 1 ? () => setConditions(conditions.toSpliced(index, 1)) : null
          }
        />
      ))}
      {conditions.length < CONDITIONS_MAX && (
        <Button onClick={() => setConditions([...conditions, FIRST])}>Add a condition</Button>
      )}
    </fieldset>
  );
}
