import { useMemo } from 'preact/hooks';
import { ReadView } from '../../ui/read-view.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { BundlesTab } from './bundles-tab.tsx';
import { CandlePanel } from './candles/candle-panel.tsx';
import { ClonesTab } from './clones-tab.tsx';
import { FindingsTab } from './findings/findings-tab.tsx';
import { Head } from './head/head.tsx';
import { IndicatorsTab } from './indicators/indicators-tab.tsx';
import { NamedWalletsContext, namedWalletsOf } from './owners/named-wallets.tsx';
import { OwnersTab } from './owners/owners-tab.tsx';
import { SocialTab } from './social/social-tab.tsx';
import './token.css';
import { type Subject, standingFindings } from './token-types.ts';
import { TradesPanel } from './trades/trades-panel.tsx';
import { useSubject } from './use-subject.ts';

/** Everything known of one token. */
export function Page({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { mint = '' } = params;
  return <Token key={mint} mint={mint} />;
}

function Token({ mint }: { readonly mint: string }) {
  const { read, subject, reloadFindings } = useSubject(mint);
  return (
    <ReadView read={read} rows={8}>
      {() =>
        subject !== null && (
          <>
            <Head subject={subject} />
            <TokenTabs subject={subject} onReviewed={reloadFindings} />
          </>
        )
      }
    </ReadView>
  );
}

function TokenTabs({
  subject,
  onReviewed,
}: {
  readonly subject: Subject;
  readonly onReviewed: () => void;
}) {
  const { mint, body, findings } = subject;
  const count = standingFindings(findings ?? []).length;
  const named = useMemo(() => namedWalletsOf(findings ?? []), [findings]);
  return (
    <NamedWalletsContext.Provider value={named}>
      <div class="token-tabs">
        <Tabs
          name="tab"
          label="About this token"
          tabs={[
            {
              id: 'market',
              title: 'Chart and trades',
              content: () => (
                <>
                  <CandlePanel subject={subject} />
                  <TradesPanel mint={mint} />
                </>
              ),
            },
            {
              id: 'findings',
              title: count === 0 ? 'Findings' : `Findings (${count})`,
              content: () => <FindingsTab subject={subject} onReviewed={onReviewed} />,
            },
            {
              id: 'holders',
              title: 'Holders',
              content: () => <OwnersTab mint={mint} createdAt={body.token.created_at} />,
            },
            { id: 'bundles', title: 'Bundles', content: () => <BundlesTab mint={mint} /> },
            {
              id: 'indicators',
              title: 'Indicators',
              content: () => <IndicatorsTab subject={subject} />,
            },
            { id: 'social', title: 'Sentiment', content: () => <SocialTab mint={mint} /> },
            { id: 'clones', title: 'Clones', content: () => <ClonesTab mint={mint} body={body} /> },
          ]}
        />
      </div>
    </NamedWalletsContext.Provider>
  );
}
