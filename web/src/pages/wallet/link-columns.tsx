import { formatCount } from '../../format/numbers.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Figure } from '../../ui/figure.tsx';
import type { Column } from '../../ui/table.tsx';
import { KindBadge } from './class-badge.tsx';
import { type Link, wordsOf } from './wallet-types.ts';

/** Columns of linked wallets; the evidence of a link is opened by its button. */
export function linkColumns(onOpen: (link: Link) => void): readonly Column<Link>[] {
  return [
    {
      key: 'wallet',
      title: 'Wallet',
      cell: ({ wallet_address }) => <AddressLink address={wallet_address} kind="wallet" />,
    },
    {
      key: 'class',
      title: 'Known as',
      isWideOnly: true,
      cell: (link) => (link.class === null ? 'Wallet' : <KindBadge kind={link.class} />),
    },
    { key: 'kind', title: 'Link', cell: ({ kind }) => wordsOf(kind) },
    {
      key: 'strength',
      title: 'Strength',
      hint: 'Share of all recorded payments or transfers in that direction; for "follows" of the tokens bought after it; for findings the highest confidence',
      align: 'end',
      cell: ({ strength }) => <Figure value={strength} kind="percent" />,
    },
    {
      key: 'evidence',
      title: 'Shown by',
      align: 'end',
      cell: (link) => (
        <button type="button" class="link-button" onClick={() => onOpen(link)}>
          {evidenceOf(link)}
        </button>
      ),
    },
  ];
}

function evidenceOf({ transactions, classification_ids: findings }: Link): string {
  const parts = [
    transactions.length > 0 && `${formatCount(transactions.length)} tx`,
    findings.length > 0 &&
      (findings.length === 1 ? '1 finding' : `${formatCount(findings.length)} findings`),
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'order of purchases' : parts.join(', ');
}
