import { Badge, type Tone } from '../../../ui/badge.tsx';
import { type Subject, standingFindings } from '../token-types.ts';

/** The risk score, which leads to the findings behind it. */
export function RiskBadge({ subject }: { readonly subject: Subject }) {
  const { findings, listed, mint } = subject;
  if (findings === null) return <Badge>Risk is being read</Badge>;
  const standing = standingFindings(findings);
  const score =
    listed?.risk_score ??
    Math.round(100 * Math.max(0, ...standing.map(({ confidence_score }) => confidence_score)));
  if (standing.length === 0) {
    return (
      <div class="token-risk">
        <Badge tone="good" title="No fraud pattern is reported. That is no proof of honesty.">
          Risk 0 · no finding
        </Badge>
      </div>
    );
  }
  const count = standing.length === 1 ? '1 finding' : `${standing.length} findings`;
  return (
    <a class="token-risk" href={`/token/${mint}?tab=findings`}>
      <Badge tone={toneOf(score)} title="0 is none, 100 the highest: the most certain finding">
        Risk {score} · {count}
      </Badge>
      <span>Why, who was paid, and how to check it</span>
    </a>
  );
}

function toneOf(score: number): Tone {
  return score >= 70 ? 'bad' : 'warning';
}
