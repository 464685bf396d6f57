import { useState } from 'preact/hooks';
import { isFailure, send } from '../../api/client.ts';
import { Button, Checkbox, TextField } from '../../ui/controls.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EVENT_TYPES, type EventType, type Webhook } from './alert-types.ts';
import { errorAt, type FieldError, fieldErrorOf } from './field-errors.ts';

const TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** Adds a webhook. */
export function WebhookForm({ onSecret }: { readonly onSecret: (secret: string) => void }) {
  const [url, setUrl] = useState('');
  const [label, setLabel] = useState('');
  const [types, setTypes] = useState<ReadonlySet<EventType>>(new Set(['trigger.fired']));
  const [error, setError] = useState<FieldError | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async () => {
    setSending(true);
    const answer = await send<Webhook & { readonly secret: string }>('POST', '/v1/webhooks', {
      url: url.trim(),
      event_types: [...types],
      label: label.trim() === '' ? null : label.trim(),
    });
    setSending(false);
    setError(isFailure(answer) ? fieldErrorOf(answer) : null);
    if (isFailure(answer)) return;
    setUrl('');
    setLabel('');
    onSecret(answer.ok.secret);
  };
  const toggle = (type: EventType, isWanted: boolean) => {
    const next = new Set(types);
    if (isWanted) next.add(type);
    else next.delete(type);
    setTypes(next);
  };
  const isElsewhere = error !== null && error.field !== 'url' && error.field !== 'label';
  return (
    <Panel title="New webhook">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div class="form-row">
          <TextField
            label="URL"
            value={url}
            onChange={setUrl}
            error={errorAt(error, 'url')}
            hint="https, with a public address"
          />
          <TextField
            label="Label"
            value={label}
            onChange={setLabel}
            error={errorAt(error, 'label')}
            hint="For you; may be empty"
          />
        </div>
        <fieldset class="event-types">
          <legend>Send when</legend>
          {TYPES.map((type) => (
            <Checkbox
              key={type}
              label={EVENT_TYPES[type]}
              isChecked={types.has(type)}
              onChange={(isWanted) => toggle(type, isWanted)}
            />
          ))}
        </fieldset>
        {isElsewhere && <Notice tone="bad">{error.message}</Notice>}
        <p class="form-actions">
          <Button kind="primary" type="submit" isDisabled={isSending}>
            Add the webhook
          </Button>
        </p>
      </form>
    </Panel>
  );
}
