import { formatAge, formatTime } from '../../format/times.ts';
import { nowMs } from '../../state/clock.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Figure } from '../../ui/figure.tsx';
import type { Column, Sort } from '../../ui/table.tsx';
import { Profit } from './summary.tsx';
import type { Position } from './wallet-types.ts';

export interface PositionRow {
  readonly position: Position;
  /** Share of the value of the listed positions; null without a price. */
  readonly share: string | null;
}

export const POSITION_ORDERS = ['last', 'value', 'cost', 'realised', 'unrealised'] as const;

const NO_COST = 'The tokens were received, or bought at an unknown price: their cost is not known';
const NO_PRICE = 'The token has no price';

export const POSITION_COLUMNS: readonly Column<PositionRow>[] = [
  {
    key: 'token',
    title: 'Token',
    cell: ({ position: { token_address, symbol } }) => (
      <AddressLink address={token_address} kind="token" label={symbol} />
    ),
  },
  {
    key: 'balance',
    title: 'Balance',
    align: 'end',
    cell: ({ position: { balance, unknown_basis_balance: unknown } }) => (
      <span title={unknown === null ? undefined : `${unknown} of it at unknown cost`}>
        <Figure value={balance} kind="amount" reason="The decimals of the token are not known" />
      </span>
    ),
  },
  {
    key: 'value',
    title: 'Value',
    align: 'end',
    sortBy: 'value',
    cell: ({ position }) => <Figure value={position.value_usd} kind="usd" reason={NO_PRICE} />,
  },
  {
    key: 'share',
    title: 'Share',
    hint: 'Share of the value of the positions listed here',
    align: 'end',
    isWideOnly: true,
    cell: ({ share }) => <Figure value={share} kind="percent" reason={NO_PRICE} />,
  },
  {
    key: 'average',
    title: 'Average price',
    align: 'end',
    isWideOnly: true,
    cell: ({ position }) => (
      <Figure
        value={position.average_price_usd}
        kind="price"
        reason="No tokens of known cost are held"
      />
    ),
  },
  {
    key: 'price',
    title: 'Price',
    align: 'end',
    isWideOnly: true,
    cell: ({ position }) => <Figure value={position.price_usd} kind="price" reason={NO_PRICE} />,
  },
  {
    key: 'cost',
    title: 'Cost',
    hint: 'Of the tokens held whose cost is known',
    align: 'end',
    sortBy: 'cost',
    isWideOnly: true,
    cell: ({ position }) => <Figure value={position.cost_usd} kind="usd" />,
  },
  {
    key: 'realised',
    title: 'Realised',
    align: 'end',
    sortBy: 'realised',
    cell: ({ position }) => <Profit value={position.realised_usd} reason={NO_COST} />,
  },
  {
    key: 'unrealised',
    title: 'Unrealised',
    align: 'end',
    sortBy: 'unrealised',
    cell: ({ position }) => (
      <Profit
        value={position.unrealised_usd}
        reason={position.realised_usd === null ? NO_COST : NO_PRICE}
      />
    ),
  },
  {
    key: 'trades',
    title: 'Buys / sells',
    align: 'end',
    isWideOnly: true,
    cell: ({ position: { buys, sells } }) => `${buys} / ${sells}`,
  },
  {
    key: 'last',
    title: 'Last trade',
    align: 'end',
    sortBy: 'last',
    isWideOnly: true,
    cell: ({ position: { last_trade_at: at } }) => (
      <span title={at === null ? 'Never traded by this wallet' : formatTime(at)}>
        {formatAge(at, nowMs.value)}
      </span>
    ),
  },
];

const VALUES: Readonly<Record<string, (position: Position) => number | null>> = {
  last: ({ last_trade_at: at }) => (at === null ? null : Date.parse(at)),
  value: ({ value_usd: value }) => (value === null ? null : Number(value)),
  cost: ({ cost_usd: cost }) => Number(cost),
  realised: ({ realised_usd: realised }) => (realised === null ? null : Number(realised)),
  unrealised: ({ unrealised_usd: unrealised }) => (unrealised === null ? null : Number(unrealised)),
};

/** In the order of a column; unknown values are last in both directions. */
export function sortPositions(
  rows: readonly PositionRow[],
  by: string,
  dir: Sort['dir'],
): readonly PositionRow[] {
  const figureOf = VALUES[by] ?? (() => null);
  const sign = dir === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [left, right] = [figureOf(a.position), figureOf(b.position)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  });
}
