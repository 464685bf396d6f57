import { formatAge, formatTime } from '../../../format/times.ts';
import { nowMs } from '../../../state/clock.ts';
import { AddressLink } from '../../../ui/address-link.tsx';
import { Figure } from '../../../ui/figure.tsx';
import type { Column } from '../../../ui/table.tsx';
import { FindingOfWallet } from './named-wallets.tsx';
import { ClassBadge, LabelBadges } from './owner-badges.tsx';
import { signedUsd } from './signed-usd.tsx';

/** What holders, traders and first buyers have in common. */
export interface Standing {
  readonly holder_address?: string;
  readonly wallet_address?: string;
  readonly balance: string | null;
  readonly class: 'organic' | 'bot' | null;
  readonly labels: readonly ('creator' | 'insider' | 'smart' | 'copied')[];
  readonly cluster_id: string | null;
  readonly first_buy_at: string | null;
  readonly average_cost_usd: string | null;
  readonly realised_usd: string | null;
  readonly unrealised_usd: string | null;
}

export function walletColumn<Row>(addressOf: (row: Row) => string): Column<Row> {
  return {
    key: 'wallet',
    title: 'Wallet',
    cell: (row) => <AddressLink address={addressOf(row)} kind="wallet" />,
  };
}

export const SHARE: Column<{ readonly share_of_supply: string | null }> = {
  key: 'share',
  title: 'Share',
  hint: 'Share of the supply',
  align: 'end',
  cell: ({ share_of_supply }) => (
    <span class="share">
      <span
        class="share-bar"
        style={{ width: `${Math.min(100, Number(share_of_supply) * 100)}%` }}
      />
      <Figure value={share_of_supply} kind="percent" reason="The supply is not known" />
    </span>
  ),
};

export const BALANCE: Column<Standing> = {
  key: 'balance',
  title: 'Tokens',
  align: 'end',
  cell: ({ balance }) => <Figure value={balance} kind="amount" />,
};

/** Class, labels, cluster, first purchase, cost and profit. */
export const STANDING: readonly Column<Standing>[] = [
  {
    key: 'class',
    title: 'Class',
    cell: (row) => (
      <span class="badges">
        <ClassBadge value={row.class} />
        <FindingOfWallet wallet={row.holder_address ?? row.wallet_address ?? null} />
      </span>
    ),
  },
  { key: 'labels', title: 'Labels', cell: ({ labels }) => <LabelBadges labels={labels} /> },
  {
    key: 'cluster',
    title: 'Cluster',
    hint: 'Wallets assumed to have one owner, named by their first funder',
    isWideOnly: true,
    cell: ({ cluster_id }) =>
      cluster_id === null ? (
        <span class="unknown">–</span>
      ) : (
        <AddressLink address={cluster_id} kind="wallet" />
      ),
  },
  {
    key: 'first',
    title: 'First buy',
    align: 'end',
    isWideOnly: true,
    cell: ({ first_buy_at }) => (
      <span title={first_buy_at === null ? 'No purchase is known' : formatTime(first_buy_at)}>
        {formatAge(first_buy_at, nowMs.value)}
      </span>
    ),
  },
  {
    key: 'cost',
    title: 'Cost',
    hint: 'Per token, of what is held at a known cost',
    align: 'end',
    isWideOnly: true,
    cell: ({ average_cost_usd }) => (
      <Figure value={average_cost_usd} kind="price" reason="Nothing is held at a known cost" />
    ),
  },
  {
    key: 'realised',
    title: 'Realised',
    align: 'end',
    cell: ({ realised_usd }) => signedUsd(realised_usd, 'No position is known'),
  },
  {
    key: 'unrealised',
    title: 'Unrealised',
    align: 'end',
    cell: ({ unrealised_usd }) => signedUsd(unrealised_usd, 'Not held, or no price is known'),
  },
];
