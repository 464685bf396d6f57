import { type BodyOf, get, isFailure } from '../../api/client.ts';
import { isPending } from '../../state/chain.ts';
import { useSymbols } from '../../state/use-symbols.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Age } from '../../ui/age.tsx';
import { Figure } from '../../ui/figure.tsx';
import { FRAUD_NAMES } from '../../ui/fraud-names.ts';
import { LevelBadge } from '../../ui/level-badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { FeedList } from './feed-list.tsx';
import { useFeed } from './use-feed.ts';

type Finding = BodyOf<'/v1/fraud/classifications'>['classifications'][number];

const READ_MAX = 25;
/** Findings below are not reported (docs/products/fraud.md). */
const CONFIDENCE_MIN = 0.5;
const REPORTED: readonly string[] = ['active', 'reviewed', 'confirmed'];

async function read(signal: AbortSignal) {
  const params = { order_by: 'detection', limit: READ_MAX } as const;
  const answer = await get('/v1/fraud/classifications', params, { signal });
  return isFailure(answer) ? answer : { ...answer, ok: answer.ok.classifications };
}

const itemOf = (finding: Finding): Finding | null =>
  finding.confidence_score >= CONFIDENCE_MIN && REPORTED.includes(finding.status) ? finding : null;

/** Fraud findings as they are found or change. */
export function Findings() {
  const feed = useFeed<Finding, Finding>({
    topic: 'findings',
    read,
    itemOf,
    idOf: ({ id }) => id,
    idOfData: ({ id }) => id,
  });
  const symbols = useSymbols(feed.items.map(({ item }) => item.token_address));
  return (
    <Panel title="Fraud findings" isFlush>
      <FeedList
        label="Fraud findings"
        feed={feed}
        empty="No finding is reported."
        keyOf={({ id }) => id}
        isPendingAt={isPending}
      >
        {(finding) => (
          <FindingLine finding={finding} symbol={symbols.get(finding.token_address) ?? null} />
        )}
      </FeedList>
    </Panel>
  );
}

function FindingLine({
  finding,
  symbol,
}: {
  readonly finding: Finding;
  readonly symbol: string | null;
}) {
  const { token_address: mint, fraud_type, confidence_level, confidence_score } = finding;
  return (
    <>
      <span class="feed-line">
        <LevelBadge level={confidence_level} />
        <a
          class="feed-subject"
          href={`/token/${encodeURIComponent(mint)}?tab=findings&finding=${finding.id}`}
          title="Evidence of this finding"
        >
          {FRAUD_NAMES[fraud_type].name}
        </a>
        <span class="feed-end">
          <Age instant={finding.created_at} />
        </span>
      </span>
      <span class="feed-line feed-note">
        <AddressLink address={mint} kind="token" label={symbol} />
        <span>
          confidence <Figure value={String(confidence_score)} kind="percent" />
        </span>
        <span class="feed-end">
          at risk <Figure value={finding.estimated_value_at_risk} kind="usd" />
        </span>
      </span>
    </>
  );
}
