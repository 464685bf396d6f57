import { formatPercent } from '../../../format/numbers.ts';
import { query } from '../../../state/router.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Empty, Loading } from '../../../ui/states.tsx';
import type { Finding, Subject } from '../token-types.ts';
import './findings.css';
import { FRAUD_NAMES } from '../../../ui/fraud-names.ts';
import { LevelBadge } from '../../../ui/level-badge.tsx';
import { TokenHitsPanel } from '../rule-hits/hits-panel.tsx';
import { FindingView } from './finding-view.tsx';
import { StatusBadge } from './status-badge.tsx';

/** The findings of a token, one of them in full, and where rules passed for it. */
export function FindingsTab({
  subject,
  onReviewed,
}: {
  readonly subject: Subject;
  readonly onReviewed: () => void;
}) {
  return (
    <>
      <Findings {...{ subject, onReviewed }} />
      <TokenHitsPanel hits={subject.ruleHits} />
    </>
  );
}

function Findings({
  subject,
  onReviewed,
}: {
  readonly subject: Subject;
  readonly onReviewed: () => void;
}) {
  const { findings, mint, body } = subject;
  if (findings === null) return <Loading rows={8} />;
  const chosen = findings.find(({ id }) => id === query.value.get('finding')) ?? findings[0];
  if (chosen === undefined) {
    return (
      <Panel title="Findings">
        <Empty>
          No fraud pattern was found in this token so far. That is no proof of honesty: a group that
          shares no funds, no transactions and no habits cannot be told from strangers.
        </Empty>
      </Panel>
    );
  }
  return (
    <div class="findings">
      {findings.length > 1 && <FindingChoice {...{ findings, mint }} chosenId={chosen.id} />}
      <FindingView key={chosen.id} finding={chosen} token={body.token} onReviewed={onReviewed} />
    </div>
  );
}

function FindingChoice({
  findings,
  mint,
  chosenId,
}: {
  readonly findings: readonly Finding[];
  readonly mint: string;
  readonly chosenId: string;
}) {
  return (
    <nav class="finding-choice" aria-label="Findings of this token">
      {findings.map(({ id, fraud_type, confidence_level, confidence_score, status }) => (
        <a
          key={id}
          href={`/token/${mint}?tab=findings&finding=${id}`}
          aria-current={id === chosenId ? 'true' : undefined}
        >
          {FRAUD_NAMES[fraud_type].name} <LevelBadge level={confidence_level} />{' '}
          <Badge title="Confidence">{formatPercent(String(confidence_score), { digits: 0 })}</Badge>{' '}
          {status !== 'active' && <StatusBadge status={status} />}
        </a>
      ))}
    </nav>
  );
}
