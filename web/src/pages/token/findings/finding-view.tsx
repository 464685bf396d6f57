import { useEffect, useRef } from 'preact/hooks';
import { formatCount, formatPercent } from '../../../format/numbers.ts';
import { formatTime } from '../../../format/times.ts';
import { useRead } from '../../../state/use-read.ts';
import { Figure, FigureRow, NamedFigure } from '../../../ui/figure.tsx';
import { FRAUD_NAMES } from '../../../ui/fraud-names.ts';
import { LevelBadge } from '../../../ui/level-badge.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ReadView } from '../../../ui/read-view.tsx';
import type { Finding, TokenBody } from '../token-types.ts';
import { EvidenceList } from './evidence-list.tsx';
import { FeaturePanel } from './feature-panel.tsx';
import { GraphPanel } from './graph-panel.tsx';
import { PaidPanel } from './paid-panel.tsx';
import { ReviewPanel } from './review-panel.tsx';
import { StatusBadge } from './status-badge.tsx';
import { VerifyPanel } from './verify-panel.tsx';

const GRAPH_MS = 15_000;

/** Everything about one finding, in the order of the questions people ask. */
export function FindingView({
  finding,
  token,
  onReviewed,
}: {
  readonly finding: Finding;
  readonly token: TokenBody['token'];
  readonly onReviewed: () => void;
}) {
  const { id, updated_at } = finding;
  const { symbol, creator_address: creator } = token;
  const detail = useRead('/v1/fraud/classifications/{id}', { id });
  // The wallets go on paying while the finding stays as it is.
  const graph = useRead('/v1/fraud/classifications/{id}/graph', { id }, { everyMs: GRAPH_MS });
  // What is learned later changes the finding.
  const readVersion = useRef(updated_at);
  useEffect(() => {
    if (readVersion.current === updated_at) return;
    readVersion.current = updated_at;
    detail.reload();
    graph.reload();
  }, [updated_at]);
  return (
    <>
      <Panel title="Why is it flagged?">
        <Statement finding={finding} />
        <Contents />
        <EvidenceList finding={finding} />
      </Panel>
      <Panel title={PARTS.paid} id="paid" isFlush>
        <ReadView read={graph}>
          {(body) => <PaidPanel finding={finding} graph={body} creator={creator} />}
        </ReadView>
      </Panel>
      <Panel title={PARTS.graph} id="graph" isFlush>
        <ReadView read={graph} rows={8}>
          {(body) => <GraphPanel graph={body} creator={creator} symbol={symbol} />}
        </ReadView>
      </Panel>
      <Panel title={PARTS.confidence} id="confidence" isFlush>
        <ReadView read={detail} rows={6}>
          {(body) => <FeaturePanel detail={body} />}
        </ReadView>
      </Panel>
      <Panel title={PARTS.check} id="check">
        <ReadView read={detail}>{(body) => <VerifyPanel detail={body} />}</ReadView>
      </Panel>
      <Panel title={PARTS.review} id="review">
        <ReadView read={detail}>
          {(body) => (
            <ReviewPanel
              detail={body}
              onReviewed={() => {
                detail.reload();
                onReviewed();
              }}
            />
          )}
        </ReadView>
      </Panel>
    </>
  );
}

/** Titles of the panels below the first one, by the names of links to them. */
const PARTS = {
  paid: 'Who was paid?',
  graph: 'Who paid, sent and sold to whom',
  confidence: 'How the confidence comes about',
  check: 'May I check it myself?',
  review: 'Review',
} as const;

/** Links to the other answers, most of which are out of sight. */
function Contents() {
  return (
    <nav class="finding-contents" aria-label="Parts of this finding">
      {Object.entries(PARTS).map(([id, title]) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}

function Statement({ finding }: { readonly finding: Finding }) {
  const { fraud_type, confidence_level, confidence_score, status } = finding;
  const { name, sentence } = FRAUD_NAMES[fraud_type];
  return (
    <div class="finding-statement">
      <p class="finding-title">
        <strong>{name}</strong> <LevelBadge level={confidence_level} />{' '}
        <StatusBadge status={status} />
      </p>
      <p class="finding-sentence">{sentence}</p>
      <FigureRow>
        <NamedFigure name="Confidence">
          {formatPercent(String(confidence_score), { digits: 1 })}
        </NamedFigure>
        <NamedFigure name="Value at risk">
          {/* Zero is also what is answered when no price is known. */}
          <Figure
            value={isZero(finding.estimated_value_at_risk) ? null : finding.estimated_value_at_risk}
            kind="usd"
            reason="None, or a price is not known"
          />
        </NamedFigure>
        <NamedFigure name="Wallets involved">
          {formatCount(finding.involved_wallets.length)}
        </NamedFigure>
        <NamedFigure name="Began in slot">{formatCount(finding.pattern_start_slot)}</NamedFigure>
        <NamedFigure name="Reported">
          <span title={finding.detection_slot === null ? '' : `Slot ${finding.detection_slot}`}>
            {formatTime(finding.created_at)}
          </span>
        </NamedFigure>
      </FigureRow>
    </div>
  );
}

function isZero(text: string): boolean {
  return Number(text) === 0;
}
