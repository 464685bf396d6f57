import type { BodyOf } from '../api/client.ts';
import { Badge } from './badge.tsx';
import { FRAUD_NAMES } from './fraud-names.ts';
import { TONE_OF_LEVEL } from './level-badge.tsx';

type Finding = BodyOf<'/v1/fraud/classifications'>['classifications'][number];
type Named = Pick<
  Finding,
  'id' | 'token_address' | 'fraud_type' | 'confidence_level' | 'confidence_score' | 'status'
>;

const LEVELS = ['low', 'medium', 'high', 'critical'] as const;

/** The most certain of the findings from a confidence of 0.5 on that no analyst has put away. */
export function worstOf<One extends Named>(findings: readonly One[]): One | null {
  const standing = findings.filter(
    ({ confidence_level, status }) =>
      confidence_level !== 'low' && status !== 'false_positive' && status !== 'archived',
  );
  const rank = ({ confidence_level }: Named) => LEVELS.indexOf(confidence_level);
  return standing.toSorted((one, other) => rank(other) - rank(one))[0] ?? null;
}

/** A finding that names a wallet, beside its class, which says something else. */
export function FindingBadge({ finding }: { readonly finding: Named }) {
  const { id, token_address, fraud_type, confidence_level, confidence_score } = finding;
  const { name } = FRAUD_NAMES[fraud_type];
  return (
    <a href={`/token/${encodeURIComponent(token_address)}?tab=findings&finding=${id}`}>
      <Badge
        tone={TONE_OF_LEVEL[confidence_level]}
        title={`Named in a finding with a confidence of ${confidence_score}. The class only says whether its trades look automated.`}
      >
        {name}
      </Badge>
    </a>
  );
}
