import './wallet.css';
import { useRead } from '../../state/use-read.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { worstOf } from '../../ui/finding-badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AutomationPanel } from './automation-panel.tsx';
import { CreatedTokens } from './created-tokens.tsx';
import { FundingTree } from './funding-tree.tsx';
import { Links } from './links.tsx';
import { LISTED_MAX, NamedInFindings } from './named-in-findings.tsx';
import { Positions } from './positions.tsx';
import { SkillPanel } from './skill-panel.tsx';
import { Summary } from './summary.tsx';
import { TokenRulesPanel } from './token-rules-panel.tsx';
import { Trades } from './trades.tsx';
import { useWallet } from './use-wallet.ts';

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { address = '' } = params;
  const read = useWallet(address);
  const findings = useRead('/v1/fraud/classifications', {
    wallet_address: address,
    limit: LISTED_MAX,
  });
  const finding = worstOf(findings.body?.classifications ?? []);
  return (
    <>
      <h1 class="wallet-title">
        Wallet <AddressLink address={address} kind="wallet" />
      </h1>
      <ReadView read={read}>
        {(wallet) => (
          <>
            <Summary wallet={wallet} finding={finding} />
            <NamedInFindings read={findings} />
            <Activity address={address} live={wallet} />
            <div class="columns">
              <AutomationPanel automation={wallet.automation} />
              <TokenRulesPanel rules={wallet.token_rules} />
              <SkillPanel skill={wallet.skill} />
            </div>
          </>
        )}
      </ReadView>
    </>
  );
}

function Activity({
  address,
  live,
}: {
  readonly address: string;
  readonly live: Parameters<typeof Positions>[0]['live'];
}) {
  return (
    <Panel title="Activity">
      <Tabs
        name="tab"
        label="Activity of the wallet"
        tabs={[
          {
            id: 'positions',
            title: 'Positions',
            content: () => <Positions address={address} live={live} />,
          },
          { id: 'trades', title: 'Trades', content: () => <Trades address={address} /> },
          {
            id: 'funding',
            title: 'Funding',
            content: () => <FundingTree address={address} />,
          },
          { id: 'links', title: 'Links', content: () => <Links address={address} /> },
          {
            id: 'created',
            title: 'Created tokens',
            content: () => <CreatedTokens address={address} />,
          },
        ]}
      />
    </Panel>
  );
}
