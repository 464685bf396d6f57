import type { BodyOf } from '../../../api/client.ts';
import { nameOf } from '../../../format/names.ts';
import { formatTime } from '../../../format/times.ts';
import { AddressLink } from '../../../ui/address-link.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Figure } from '../../../ui/figure.tsx';
import type { Column } from '../../../ui/table.tsx';
import { CursorTable } from '../cursor-table.tsx';
import { useCursorList } from '../use-cursor-list.ts';
import { BALANCE, SHARE, STANDING, walletColumn } from './owner-columns.tsx';
import { signedUsd } from './signed-usd.tsx';

type Holder = BodyOf<'/v1/token/{token_address}/holders'>['holders'][number];
type Trader = BodyOf<'/v1/token/{token_address}/top-traders'>['traders'][number];
type Buyer = BodyOf<'/v1/token/{token_address}/first-buyers'>['buyers'][number];

const HOLDER_COLUMNS: readonly Column<Holder>[] = [
  {
    key: 'holder',
    title: 'Holder',
    cell: ({ holder_address, kind }) => (
      <>
        <AddressLink address={holder_address} kind={kind === 'pool' ? 'other' : 'wallet'} />{' '}
        {kind !== 'wallet' && <Badge title="Not counted as a person">{nameOf(kind)}</Badge>}
      </>
    ),
  },
  SHARE,
  BALANCE,
  ...STANDING,
];

export function Holders({ mint }: { readonly mint: string }) {
  const list = useCursorList(
    '/v1/token/{token_address}/holders',
    { token_address: mint },
    ({ holders, next_cursor }) => ({ items: holders, next: next_cursor }),
  );
  return (
    <CursorTable
      list={list}
      caption="Holders, largest first"
      columns={HOLDER_COLUMNS}
      keyOf={({ holder_address }) => holder_address}
      empty="Nobody holds more than dust."
    />
  );
}

const TRADER_COLUMNS: readonly Column<Trader>[] = [
  walletColumn(({ wallet_address }) => wallet_address),
  {
    key: 'profit',
    title: 'Profit',
    hint: 'Realised and unrealised together',
    align: 'end',
    cell: ({ profit_usd }) => signedUsd(profit_usd, 'No price is known'),
  },
  {
    key: 'trades',
    title: 'Buys / sells',
    align: 'end',
    cell: ({ buys, sells }) => `${buys} / ${sells}`,
  },
  SHARE,
  ...STANDING,
];

export function TopTraders({ mint }: { readonly mint: string }) {
  const list = useCursorList(
    '/v1/token/{token_address}/top-traders',
    { token_address: mint },
    ({ traders, next_cursor }) => ({ items: traders, next: next_cursor }),
  );
  return (
    <CursorTable
      list={list}
      caption="Traders, highest profit first"
      columns={TRADER_COLUMNS}
      keyOf={({ wallet_address }) => wallet_address}
      empty="Nobody has traded it yet."
    />
  );
}

const BUYER_COLUMNS: readonly Column<Buyer>[] = [
  { key: 'rank', title: '#', align: 'end', cell: ({ rank }) => rank },
  walletColumn(({ wallet_address }) => wallet_address),
  {
    key: 'slot',
    title: 'Slot',
    align: 'end',
    cell: ({ slot, timestamp }) => <span title={formatTime(timestamp)}>{slot}</span>,
  },
  {
    key: 'value',
    title: 'Bought for',
    align: 'end',
    cell: ({ value_usd }) => <Figure value={value_usd} kind="usd" reason="No price is known" />,
  },
  {
    key: 'bought',
    title: 'Bought',
    hint: 'Tokens of the first purchase',
    align: 'end',
    cell: ({ token_amount }) => <Figure value={token_amount} kind="amount" />,
  },
  { ...BALANCE, title: 'Holds now' },
  ...STANDING.filter(({ key }) => key !== 'first'),
  {
    key: 'signature',
    title: 'Transaction',
    cell: ({ signature }) => <AddressLink address={signature} kind="other" />,
  },
];

export function FirstBuyers({ mint }: { readonly mint: string }) {
  const list = useCursorList(
    '/v1/token/{token_address}/first-buyers',
    { token_address: mint },
    ({ buyers, next_cursor }) => ({ items: buyers, next: next_cursor }),
  );
  return (
    <CursorTable
      list={list}
      caption="First buyers, in their order"
      columns={BUYER_COLUMNS}
      keyOf={({ rank }) => String(rank)}
      empty="Nobody has bought it yet."
    />
  );
}
