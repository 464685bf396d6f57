import { useState } from 'preact/hooks';
import { isFailure, type Method, send } from '../../api/client.ts';
import { formatCount } from '../../format/numbers.ts';
import { formatTime } from '../../format/times.ts';
import { Badge } from '../../ui/badge.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button } from '../../ui/controls.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Webhook } from './alert-types.ts';

interface CardProps {
  readonly webhook: Webhook;
  readonly mayWrite: boolean;
  /** Whether its deliveries are shown. */
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onSecret: (secret: string) => void;
  readonly onChange: () => void;
}

/** A webhook with its state and what can be done with it. */
export function WebhookCard(props: CardProps) {
  const { webhook, mayWrite, isOpen, onOpen } = props;
  const { url, label, status, event_types: types } = webhook;
  return (
    <article class="webhook">
      <div class="webhook-head">
        <Badge tone={status === 'active' ? 'good' : 'bad'}>{status}</Badge>
        <strong class="address">
          <ChainText text={url} lengthMax={200} />
        </strong>
        {label !== null && <ChainText text={label} />}
      </div>
      <p class="muted small">{types.join(', ')}</p>
      <State webhook={webhook} />
      <div class="row-actions">
        <Button onClick={onOpen}>{isOpen ? 'Hide deliveries' : 'Deliveries'}</Button>
        {mayWrite && <Actions {...props} />}
      </div>
    </article>
  );
}

function State({ webhook }: { readonly webhook: Webhook }) {
  const { disabled_reason: reason, disabled_at: disabledAt } = webhook;
  const { pending_deliveries: pending, dropped_deliveries: dropped } = webhook;
  const { failures_in_row: failures, previous_secret_until: until } = webhook;
  return (
    <p class="small">
      {formatCount(pending)} pending
      {dropped > 0 && <span class="falling">, {formatCount(dropped)} dropped</span>}
      {failures > 0 && <span class="falling">, {formatCount(failures)} failures in a row</span>}
      {disabledAt !== null && (
        <span class="falling">
          , disabled {formatTime(disabledAt)}:{' '}
          {reason === 'gone' ? 'it answered 410' : 'it failed for three days'}
        </span>
      )}
      {until !== null && `, the old secret is valid until ${formatTime(until)}`}
    </p>
  );
}

type Question = 'rotate' | 'remove';

function Actions({ webhook, onSecret, onChange }: CardProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [notice, setNotice] = useState<{ isGood: boolean; text: string } | null>(null);
  const act = async (method: Method, path: string): Promise<string | null> => {
    const answer = await send<{ readonly secret?: string }>(
      method,
      `/v1/webhooks/${encodeURIComponent(webhook.id)}${path}`,
    );
    if (isFailure(answer)) return answer.message;
    if (answer.ok?.secret !== undefined) onSecret(answer.ok.secret);
    onChange();
    return null;
  };
  const say = async (path: string, done: string) => {
    const failure = await act('POST', path);
    setNotice({ isGood: failure === null, text: failure ?? done });
  };
  const close = () => setQuestion(null);
  return (
    <>
      <Button onClick={() => void say('/test', 'A test event is sent; see its delivery.')}>
        Test
      </Button>
      {webhook.status === 'disabled' && (
        <Button onClick={() => void say('/enable', 'It is enabled again.')}>Enable</Button>
      )}
      <Button onClick={() => setQuestion('rotate')}>Rotate the secret</Button>
      <Button kind="danger" onClick={() => setQuestion('remove')}>
        Delete
      </Button>
      {notice !== null && (
        <Notice tone={notice.isGood ? 'good' : 'bad'} onDismiss={() => setNotice(null)}>
          {notice.text}
        </Notice>
      )}
      {question === 'rotate' && (
        <ConfirmDialog
          title="Rotate the secret?"
          action="Rotate"
          act={() => act('POST', '/rotate-secret')}
          onClose={close}
        >
          A new secret is shown once. Both sign requests until the old one ends.
        </ConfirmDialog>
      )}
      {question === 'remove' && (
        <ConfirmDialog
          title="Delete the webhook?"
          action="Delete"
          act={() => act('DELETE', '')}
          onClose={close}
        >
          Nothing is sent to <ChainText text={webhook.url} lengthMax={120} /> any more; pending
          deliveries are cancelled.
        </ConfirmDialog>
      )}
    </>
  );
}
