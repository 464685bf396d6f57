import './alerts.css';
import { scopes } from '../../state/session.ts';
import { Notice } from '../../ui/notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Firings } from './firings.tsx';
import { Triggers } from './triggers.tsx';
import { Webhooks } from './webhooks.tsx';

/** Triggers with their firings, and where they are sent. */
export function Page() {
  const mayWrite = scopes.value.some((scope) => scope === 'triggers:write' || scope === 'admin');
  return (
    <>
      <h1>Alerts</h1>
      {!mayWrite && (
        <Notice tone="warning">
          The key of this session may not change alerts: it has the scopes {scopes.value.join(', ')}
          . A key with the scope triggers:write may.
        </Notice>
      )}
      <Tabs
        name="tab"
        label="Alerts"
        tabs={[
          { id: 'triggers', title: 'Triggers', content: () => <Triggers mayWrite={mayWrite} /> },
          { id: 'firings', title: 'Firings', content: () => <Firings /> },
          { id: 'webhooks', title: 'Webhooks', content: () => <Webhooks mayWrite={mayWrite} /> },
        ]}
      />
    </>
  );
}
