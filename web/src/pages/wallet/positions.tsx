import { useEffect, useMemo } from 'preact/hooks';
import { choiceInQuery, setQuery } from '../../state/router.ts';
import { usePages } from '../../state/use-pages.ts';
import { Segments } from '../../ui/controls.tsx';
import { PagesView } from '../../ui/pages-view.tsx';
import { Table } from '../../ui/table.tsx';
import { POSITION_COLUMNS, POSITION_ORDERS, sortPositions } from './position-columns.tsx';
import { totalOf } from './totals.ts';
import type { Position, Wallet } from './wallet-types.ts';

const STATUSES = [
  { value: 'all', title: 'All' },
  { value: 'open', title: 'Open' },
] as const;

/** Positions with cost and results. Those that a slot changes are replaced at once. */
export function Positions({ address, live }: { readonly address: string; readonly live: Wallet }) {
  const status = choiceInQuery('status', ['all', 'open']);
  const by = choiceInQuery('sort', POSITION_ORDERS);
  const dir = choiceInQuery('dir', ['desc', 'asc']);
  const pages = usePages(
    '/v1/wallets/{address}/positions',
    { address, status, limit: 200 },
    {
      itemsOf: ({ positions }) => positions,
      nextOf: ({ next_cursor }) => next_cursor,
      keyOf: ({ token_address }) => token_address,
    },
  );
  const { refresh } = pages;
  // New positions are in the first page.
  useEffect(() => {
    if (pages.items !== null) refresh();
  }, [live.position_count]);
  const changed = useMemo(
    () => new Map(live.positions.map((one) => [one.token_address, one])),
    [live],
  );
  return (
    <>
      <div class="filters">
        <Segments
          label="Positions shown"
          value={status}
          options={STATUSES}
          onChange={(chosen) => setQuery({ status: chosen === 'all' ? null : chosen })}
        />
        <span class="muted small">Average cost, unrealised at the price of the token's pool</span>
      </div>
      <PagesView pages={pages} name="positions">
        {(items) => {
          const current = items.map((one) => changed.get(one.token_address) ?? one);
          return (
            <Table
              caption="Positions"
              columns={POSITION_COLUMNS}
              rows={sortPositions(withShares(current), by, dir)}
              keyOf={({ position }) => position.token_address}
              sort={{ by, dir }}
              onSort={(sort) => setQuery({ sort: sort.by, dir: sort.dir })}
              hrefOf={({ position }) => `/token/${position.token_address}`}
              empty={status === 'open' ? 'It holds nothing.' : 'It never held a token.'}
            />
          );
        }}
      </PagesView>
    </>
  );
}

/** Positions with their share of the value of all that are listed. */
function withShares(positions: readonly Position[]) {
  const total = Number(totalOf(positions.map(({ value_usd }) => value_usd)) ?? 0);
  return positions.map((position) => ({
    position,
    share:
      position.value_usd === null || total === 0
        ? null
        : (Number(position.value_usd) / total).toFixed(4),
  }));
}
