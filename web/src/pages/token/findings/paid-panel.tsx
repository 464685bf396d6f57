import { nameOf } from '../../../format/names.ts';
import { formatCompact, signOf } from '../../../format/numbers.ts';
import { AddressLink } from '../../../ui/address-link.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Figure } from '../../../ui/figure.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { subtractDecimals } from '../sum-decimals.ts';
import type { Finding, FindingGraph } from '../token-types.ts';
import {
  type Collector,
  collectorOf,
  type PaidWallet,
  paidWallets,
  totalsOf,
} from './paid-wallets.ts';

/** More scroll, and half a row at the end says so. */
const VISIBLE_ROWS = 12;

/** Who took money out of the pattern and who put it in: a sentence and a table. */
export function PaidPanel({
  finding,
  graph,
  creator,
}: {
  readonly finding: Finding;
  readonly graph: FindingGraph;
  readonly creator: string | null;
}) {
  const wallets = paidWallets(graph);
  return (
    <>
      <p class="finding-answer">
        <Answer wallets={wallets} collector={collectorOf(wallets, graph.edges)} />
        {wallets.length > VISIBLE_ROWS && ` All ${wallets.length} wallets are below.`}
      </p>
      <Table
        caption="Wallets of the finding, those with whom most SOL stayed first"
        columns={columnsOf(creator)}
        rows={wallets}
        keyOf={({ address }) => address}
        visibleRows={
          wallets.length > VISIBLE_ROWS ? VISIBLE_ROWS + 0.5 : Math.max(1, wallets.length)
        }
        empty={`None of ${finding.involved_wallets.length} wallets is in the graph.`}
      />
    </>
  );
}

function Answer({
  wallets,
  collector,
}: {
  readonly wallets: readonly PaidWallet[];
  readonly collector: Collector | null;
}) {
  const { spent, received, gainers } = totalsOf(wallets);
  const [first] = gainers;
  const net = subtractDecimals(received, spent);
  const group = (
    <>
      Together the wallets spent <Sol value={spent} /> on the token and received{' '}
      <Sol value={received} /> for it
      {net !== null && (
        <>
          , a {signOf(net) < 0 ? 'net payment' : 'net gain'} of{' '}
          <Sol value={net.startsWith('-') ? net.slice(1) : net} />
        </>
      )}
      .
    </>
  );
  if (first === undefined) {
    return <>{group} So far no wallet took out more than it put in: what it holds is not sold.</>;
  }
  return (
    <>
      {gainers.length === 1 ? 'One wallet' : `${gainers.length} wallets`} took out more than they
      put in; <AddressLink address={first.address} kind="wallet" /> gained most,{' '}
      <Sol value={first.net} />. {group} {collector !== null && <PaidOn {...collector} />}
    </>
  );
}

/** Where the money went that was taken out. */
function PaidOn({ address, sol }: Collector) {
  return (
    <>
      After selling, they paid <Sol value={sol} /> on to{' '}
      <AddressLink address={address} kind="wallet" />.
    </>
  );
}

function Sol({ value }: { readonly value: string | null }) {
  return (
    <strong>
      <Figure value={value} kind="amount" reason="Not known" /> SOL
    </strong>
  );
}

function columnsOf(creator: string | null): readonly Column<PaidWallet>[] {
  return [
    {
      key: 'wallet',
      title: 'Wallet',
      cell: ({ address }) => (
        <>
          <AddressLink address={address} kind="wallet" />{' '}
          {address === creator && <Badge tone="warning">Creator</Badge>}
        </>
      ),
    },
    { key: 'role', title: 'Role', cell: ({ role }) => roleName(role) },
    solColumn(
      'kept',
      'Kept, SOL',
      'Gain and what wallets of the finding paid to it, less what it paid to them',
      ({ kept }) => kept,
    ),
    {
      key: 'net',
      title: 'Gain, SOL',
      hint: 'SOL received for the token less SOL spent on it',
      align: 'end',
      cell: ({ net }) => (
        <span class={CLASS_OF_SIGN[signOf(net)]}>
          <Figure value={net} kind="amount" reason="Not known" />
        </span>
      ),
    },
    solColumn('received', 'Received', 'SOL received for the token', ({ received }) => received),
    solColumn('spent', 'Spent', 'SOL spent on the token', ({ spent }) => spent),
    solColumn(
      'in',
      'Paid to it',
      'SOL that others of the graph paid to it',
      ({ paidIn }) => paidIn,
    ),
    solColumn('out', 'Paid by it', 'SOL that it paid to others', ({ paidOut }) => paidOut),
    {
      key: 'tokens',
      title: 'Tokens acquired',
      align: 'end',
      isWideOnly: true,
      cell: ({ tokens }) => <Figure value={tokens} kind="amount" />,
    },
    {
      key: 'labels',
      title: 'Labels',
      isWideOnly: true,
      cell: ({ labels }) => labels.map((label) => <Badge key={label}>{nameOf(label)}</Badge>),
    },
  ];
}

/** A wallet of the finding without a part of its own took part all the same. */
function roleName(role: string): string {
  return role === 'unknown' ? 'Participant' : nameOf(role);
}

const CLASS_OF_SIGN = { [-1]: 'falling', 0: '', 1: 'rising' } as const;

function solColumn(
  key: string,
  title: string,
  hint: string,
  of: (wallet: PaidWallet) => string | null,
): Column<PaidWallet> {
  return {
    key,
    title,
    hint: `${hint}, as far as the graph shows`,
    align: 'end',
    cell: (wallet) => {
      const value = of(wallet);
      return value === null ? (
        <span class="unknown">–</span>
      ) : (
        <span title={`${value} SOL`}>{formatCompact(value)}</span>
      );
    },
  };
}
