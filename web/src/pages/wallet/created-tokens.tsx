import { formatAge, formatTime } from '../../format/times.ts';
import { nowMs } from '../../state/clock.ts';
import { usePages } from '../../state/use-pages.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Figure } from '../../ui/figure.tsx';
import { PagesView } from '../../ui/pages-view.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import type { CreatedToken } from './wallet-types.ts';

const COLUMNS: readonly Column<CreatedToken>[] = [
  {
    key: 'symbol',
    title: 'Token',
    cell: ({ token_address, symbol }) => (
      <AddressLink address={token_address} kind="token" label={symbol} />
    ),
  },
  {
    key: 'name',
    title: 'Name',
    cell: ({ name }) => <ChainText text={name} lengthMax={32} />,
  },
  {
    key: 'price',
    title: 'Price',
    align: 'end',
    cell: ({ price_usd }) => <Figure value={price_usd} kind="price" reason="No price" />,
  },
  {
    key: 'cap',
    title: 'Market cap',
    align: 'end',
    cell: ({ market_cap_usd }) => <Figure value={market_cap_usd} kind="usd" reason="No price" />,
  },
  {
    key: 'age',
    title: 'Age',
    align: 'end',
    isWideOnly: true,
    cell: ({ created_at: at }) => (
      <span title={at === null ? 'The creation was not recorded' : formatTime(at)}>
        {formatAge(at, nowMs.value)}
      </span>
    ),
  },
];

/** Tokens that the wallet created, newest first. */
export function CreatedTokens({ address }: { readonly address: string }) {
  const pages = usePages(
    '/v1/wallets/{address}/created-tokens',
    { address, limit: 100 },
    {
      itemsOf: ({ tokens }) => tokens,
      nextOf: ({ next_cursor }) => next_cursor,
      keyOf: ({ token_address }) => token_address,
    },
  );
  return (
    <PagesView pages={pages} name="tokens">
      {(tokens) => (
        <Table
          caption="Created tokens"
          columns={COLUMNS}
          rows={tokens}
          keyOf={({ token_address }) => token_address}
          hrefOf={({ token_address }) => `/token/${token_address}`}
          empty="No creation of a token by this wallet was recorded."
        />
      )}
    </PagesView>
  );
}
