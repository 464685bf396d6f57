import { nameOf } from '../../../format/names.ts';
import { formatAge, formatTime } from '../../../format/times.ts';
import { nowMs } from '../../../state/clock.ts';
import { AddressLink } from '../../../ui/address-link.tsx';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Figure } from '../../../ui/figure.tsx';
import type { Column } from '../../../ui/table.tsx';
import { FindingOfWallet } from '../owners/named-wallets.tsx';
import { ClassBadge } from '../owners/owner-badges.tsx';
import type { Trade } from '../token-types.ts';
import type { TapeTrade } from './trade-book.ts';

const FLAGS: Readonly<
  Record<Trade['flags'][number], { readonly tone: Tone; readonly title: string }>
> = {
  hop: { tone: 'neutral', title: 'The token only passed through on a route' },
  arbitrage: { tone: 'neutral', title: 'One of swaps on several pools without a net outflow' },
  round_trip: { tone: 'warning', title: 'Bought and sold again in one transaction' },
  bundled: { tone: 'bad', title: 'Placed together with transactions of others' },
  wash: { tone: 'bad', title: 'Linked wallets traded with each other' },
  quarantined: { tone: 'warning', title: 'Amounts do not agree with the vaults: never priced' },
};

/** Columns of the tape; what is not final is said in words too. */
export function tradeColumns(
  stateOf: (trade: TapeTrade) => 'pending' | 'undone' | null,
): readonly Column<TapeTrade>[] {
  return [
    {
      key: 'age',
      title: 'Age',
      cell: (trade) => (
        <span title={`${formatTime(trade.timestamp)}, slot ${trade.slot}`}>
          {formatAge(trade.timestamp, nowMs.value)}
          <State state={stateOf(trade)} />
        </span>
      ),
    },
    {
      key: 'side',
      title: 'Side',
      cell: ({ side }) => (
        <span class={side === 'buy' ? 'rising' : 'falling'}>{side === 'buy' ? 'Buy' : 'Sell'}</span>
      ),
    },
    {
      key: 'value',
      title: 'Value',
      align: 'end',
      cell: ({ value_usd }) => <Figure value={value_usd} kind="usd" reason="No price is known" />,
    },
    {
      key: 'amount',
      title: 'Tokens',
      align: 'end',
      cell: ({ token_amount }) => <Figure value={token_amount} kind="amount" />,
    },
    {
      key: 'price',
      title: 'Price',
      align: 'end',
      cell: ({ price_usd }) => <Figure value={price_usd} kind="price" />,
    },
    {
      key: 'wallet',
      title: 'Wallet',
      cell: ({ wallet_address }) =>
        wallet_address === null ? (
          <span class="unknown">Not known</span>
        ) : (
          <AddressLink address={wallet_address} kind="wallet" />
        ),
    },
    {
      key: 'class',
      title: 'Class',
      cell: ({ wallet_address, wallet_class }) => (
        <span class="badges">
          <ClassBadge value={wallet_class} />
          <FindingOfWallet wallet={wallet_address} />
        </span>
      ),
    },
    {
      key: 'flags',
      title: 'Flags',
      cell: ({ flags }) =>
        flags.map((flag) => (
          <Badge key={flag} tone={FLAGS[flag].tone} title={FLAGS[flag].title}>
            {nameOf(flag)}
          </Badge>
        )),
    },
    {
      key: 'through',
      title: 'Through',
      isWideOnly: true,
      cell: ({ venue, router, terminal }) => (
        <span title="Venue, router and terminal">
          {[venue, router, terminal]
            .flatMap((name) => (name === null ? [] : nameOf(name)))
            .join(' · ')}
        </span>
      ),
    },
    {
      key: 'signature',
      title: 'Transaction',
      cell: ({ signature }) => <AddressLink address={signature} kind="other" />,
    },
  ];
}

function State({ state }: { readonly state: 'pending' | 'undone' | null }) {
  if (state === null) return null;
  const isPending = state === 'pending';
  return (
    <>
      {' '}
      <Badge
        tone={isPending ? 'neutral' : 'warning'}
        title={isPending ? 'A fork may still take it back' : 'A fork took it back'}
      >
        {isPending ? 'not final' : 'taken back'}
      </Badge>
    </>
  );
}
