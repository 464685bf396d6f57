import { formatAge, formatTime } from '../../format/times.ts';
import { nowMs } from '../../state/clock.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Figure } from '../../ui/figure.tsx';
import type { Column } from '../../ui/table.tsx';
import { TransactionLink } from '../../ui/transaction-link.tsx';
import type { ShownTrade } from './use-wallet-trades.ts';
import { wordsOf } from './wallet-types.ts';

export const TRADE_COLUMNS: readonly Column<ShownTrade>[] = [
  {
    key: 'age',
    title: 'Age',
    cell: ({ trade: { timestamp, slot } }) => (
      <span title={`${formatTime(timestamp)}, slot ${slot}`}>
        {formatAge(timestamp, nowMs.value)}
      </span>
    ),
  },
  {
    key: 'side',
    title: 'Side',
    cell: ({ trade: { side } }) => (
      <span class={side === 'buy' ? 'rising' : 'falling'}>{side}</span>
    ),
  },
  {
    key: 'token',
    title: 'Token',
    cell: ({ trade }) => <AddressLink address={trade.token_address} kind="token" />,
  },
  {
    key: 'amount',
    title: 'Tokens',
    align: 'end',
    isWideOnly: true,
    cell: ({ trade }) => <Figure value={trade.token_amount} kind="amount" />,
  },
  {
    key: 'price',
    title: 'Price',
    align: 'end',
    cell: ({ trade }) => <Figure value={trade.price_usd} kind="price" reason="No price" />,
  },
  {
    key: 'value',
    title: 'Value',
    align: 'end',
    cell: ({ trade }) => <Figure value={trade.value_usd} kind="usd" reason="No price" />,
  },
  {
    key: 'venue',
    title: 'Venue',
    isWideOnly: true,
    cell: ({ trade: { venue, router, terminal } }) => (
      <span title={terminal === null ? undefined : `Through the terminal ${terminal}`}>
        {[venue, router, terminal].filter((name) => name !== null).join(' · ')}
      </span>
    ),
  },
  {
    key: 'flags',
    title: 'Marks',
    isWideOnly: true,
    cell: ({ trade: { flags } }) => (
      <span class="badges">
        {flags.map((flag) => (
          <Badge key={flag} tone={flag === 'hop' ? 'neutral' : 'warning'}>
            {wordsOf(flag)}
          </Badge>
        ))}
      </span>
    ),
  },
  {
    key: 'state',
    title: 'State',
    isWideOnly: true,
    cell: ({ trade: { commitment }, isUndone }) => {
      if (isUndone) return <Badge tone="warning">taken back by a fork</Badge>;
      return commitment === 'finalized' ? 'final' : 'not final';
    },
  },
  {
    key: 'transaction',
    title: 'Transaction',
    cell: ({ trade }) => <TransactionLink signature={trade.signature} />,
  },
];
