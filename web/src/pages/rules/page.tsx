import './rules.css';
import { scopes } from '../../state/session.ts';
import { Notice } from '../../ui/notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { BacktestsPanel } from './backtests-panel.tsx';
import { DetectorsPanel } from './detectors-panel.tsx';
import { HitsPanel } from './hits-panel.tsx';
import { RulesPanel } from './rules-panel.tsx';

/** Rules of the account with their hits, and what they would have been worth. */
export function Page() {
  const mayWrite = scopes.value.some((scope) => scope === 'triggers:write' || scope === 'admin');
  return (
    <>
      <h1>Rules</h1>
      {!mayWrite && (
        <Notice tone="warning">
          The key of this session may not change rules: it has the scopes {scopes.value.join(', ')}.
          A key with the scope triggers:write may.
        </Notice>
      )}
      <Tabs
        name="tab"
        label="Rules"
        tabs={[
          { id: 'rules', title: 'Rules', content: () => <RulesPanel mayWrite={mayWrite} /> },
          { id: 'hits', title: 'Hits', content: () => <HitsPanel /> },
          {
            id: 'backtests',
            title: 'Backtests',
            content: () => <BacktestsPanel mayWrite={mayWrite} />,
          },
          { id: 'detectors', title: 'Detectors', content: () => <DetectorsPanel /> },
        ]}
      />
    </>
  );
}
