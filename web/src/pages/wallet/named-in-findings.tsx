import { type BodyOf, isFailure } from '../../api/client.ts';
import type { Read } from '../../state/use-read.ts';
import { useSymbols } from '../../state/use-symbols.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Age } from '../../ui/age.tsx';
import { Figure } from '../../ui/figure.tsx';
import { FRAUD_NAMES } from '../../ui/fraud-names.ts';
import { LevelBadge } from '../../ui/level-badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Failed } from '../../ui/states.tsx';

/** How many findings are read and listed. */
export const LISTED_MAX = 10;

/** Fraud findings that name the wallet; nothing is shown where there are none. */
export function NamedInFindings({
  read: { answer, body, reload },
}: {
  readonly read: Read<BodyOf<'/v1/fraud/classifications'>>;
}) {
  const symbols = useSymbols((body?.classifications ?? []).map((one) => one.token_address));
  if (answer !== null && isFailure(answer)) return <Failed failure={answer} onRetry={reload} />;
  if (body === null || body.classifications.length === 0) return null;
  const isMore = body.next_cursor !== null;
  return (
    <Panel title="Named in fraud findings">
      <ul class="wallet-findings">
        {body.classifications.map((finding) => (
          <li key={finding.id}>
            <LevelBadge level={finding.confidence_level} />
            <a href={`/token/${finding.token_address}?tab=findings&finding=${finding.id}`}>
              {FRAUD_NAMES[finding.fraud_type].name}
            </a>
            <span>
              of{' '}
              <AddressLink
                address={finding.token_address}
                kind="token"
                label={symbols.get(finding.token_address) ?? null}
              />
            </span>
            <span class="muted">
              confidence <Figure value={String(finding.confidence_score)} kind="percent" />
            </span>
            <span class="muted">
              <Age instant={finding.created_at} /> ago
            </span>
          </li>
        ))}
      </ul>
      {isMore && <p class="muted small">The {LISTED_MAX} newest are listed.</p>}
    </Panel>
  );
}
