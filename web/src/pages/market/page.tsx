import type { BodyOf } from '../../api/client.ts';
import { formatAge } from '../../format/times.ts';
import { nowMs } from '../../state/clock.ts';
import { choiceInQuery, setQuery } from '../../state/router.ts';
import { useRead } from '../../state/use-read.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { type Column, Table } from '../../ui/table.tsx';

type Token = BodyOf<'/v1/tokens'>['items'][number];

const READ_EVERY_MS = 2_000;
const ORDERS = ['newest', 'marketcap_usd', 'liquidity_usd', 'volume_24h_usd'] as const;

const COLUMNS: readonly Column<Token>[] = [
  {
    key: 'symbol',
    title: 'Token',
    cell: ({ symbol }) => <ChainText text={symbol} lengthMax={16} />,
  },
  {
    key: 'address',
    title: 'Address',
    cell: ({ token_address }) => <AddressLink address={token_address} kind="token" />,
  },
  {
    key: 'price',
    title: 'Price',
    align: 'end',
    cell: ({ price_usd }) => <Figure value={price_usd} kind="price" />,
  },
  {
    key: 'change',
    title: '24 h',
    align: 'end',
    cell: ({ price_change_24h }) => <Figure value={price_change_24h} kind="change" />,
  },
  {
    key: 'marketcap',
    title: 'Market cap',
    align: 'end',
    sortBy: 'marketcap_usd',
    cell: ({ marketcap_usd }) => <Figure value={marketcap_usd} kind="usd" />,
  },
  {
    key: 'liquidity',
    title: 'Liquidity',
    align: 'end',
    sortBy: 'liquidity_usd',
    isWideOnly: true,
    cell: ({ liquidity_usd }) => <Figure value={liquidity_usd} kind="usd" />,
  },
  {
    key: 'volume',
    title: 'Volume 24 h',
    align: 'end',
    sortBy: 'volume_24h_usd',
    isWideOnly: true,
    cell: ({ volume_24h_usd }) => <Figure value={volume_24h_usd} kind="usd" />,
  },
  {
    key: 'age',
    title: 'Age',
    align: 'end',
    sortBy: 'newest',
    cell: ({ created_at }) => formatAge(created_at, nowMs.value),
  },
];

export function Page() {
  const by = choiceInQuery('order', ORDERS);
  const dir = choiceInQuery('dir', ['desc', 'asc']);
  const read = useRead(
    '/v1/tokens',
    { order_by: by, order_dir: dir, limit: 200 },
    { everyMs: READ_EVERY_MS },
  );
  return (
    <>
      <h1>Market</h1>
      <Panel title="Tokens" isFlush>
        <ReadView read={read} rows={8}>
          {({ items }) => (
            <Table
              caption="Tokens"
              columns={COLUMNS}
              rows={items}
              keyOf={({ token_address }) => token_address}
              sort={{ by, dir }}
              onSort={(sort) => setQuery({ order: sort.by, dir: sort.dir })}
              hrefOf={({ token_address }) => `/token/${token_address}`}
              visibleRows={20}
              empty="No token has been seen yet."
            />
          )}
        </ReadView>
      </Panel>
    </>
  );
}
