import { useState } from 'preact/hooks';
import { query, setQuery } from '../../state/router.ts';
import { useRead } from '../../state/use-read.ts';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { Empty } from '../../ui/states.tsx';
import { Deliveries } from './deliveries.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookForm } from './webhook-form.tsx';

const READ_EVERY_MS = 5_000;

/** Where events are sent, and what became of them. */
export function Webhooks({ mayWrite }: { readonly mayWrite: boolean }) {
  const read = useRead('/v1/webhooks', {}, { everyMs: READ_EVERY_MS });
  const [secret, setSecret] = useState<string | null>(null);
  const chosen = query.value.get('webhook');
  const { reload } = read;
  const onSecret = (shown: string) => {
    setSecret(shown);
    reload();
  };
  return (
    <div class="alerts">
      <Panel title="Webhooks">
        <ReadView read={read}>
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <Empty>No webhooks. Firings, findings and signals can be sent to a URL.</Empty>
            ) : (
              webhooks.map((webhook) => (
                <WebhookCard
                  key={webhook.id}
                  webhook={webhook}
                  mayWrite={mayWrite}
                  isOpen={webhook.id === chosen}
                  onOpen={() => setQuery({ webhook: webhook.id === chosen ? null : webhook.id })}
                  onSecret={onSecret}
                  onChange={reload}
                />
              ))
            )
          }
        </ReadView>
      </Panel>
      {chosen !== null && <Deliveries key={chosen} webhookId={chosen} mayWrite={mayWrite} />}
      {mayWrite && <WebhookForm onSecret={onSecret} />}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </div>
  );
}
