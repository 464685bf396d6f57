import type { RowTable } from '../lib/row-table.ts';
import { wideSum } from '../lib/wide-sum.ts';
import type { FiguresByWindow, WindowFigures } from '../model/market-window.ts';
import { asUsdNano } from '../model/units.ts';
import { BUCKET_LAYOUT, SCOPE_LAYOUT, wideByWindow } from './market-rows.ts';

const BUCKET = BUCKET_LAYOUT.fields;
const SCOPE = SCOPE_LAYOUT.fields;
const VOLUME = wideByWindow(SCOPE.volumeUsd);
const ORGANIC = wideByWindow(SCOPE.organicUsd);
const BASE = wideByWindow(SCOPE.baseRaw);
const PRICED = wideByWindow(SCOPE.pricedBaseRaw);

/** Changes have four decimals. */
const CHANGE_SCALE = 10_000;

const NOTHING: WindowFigures = {
  trades: 0,
  buys: 0,
  sells: 0,
  buyers: 0,
  sellers: 0,
  volumeUsd: asUsdNano(0n),
  organicVolumeUsd: asUsdNano(0n),
  priceChange: null,
};

/** The figures of a scope that was not traded in 24 hours. */
export const NO_FIGURES: FiguresByWindow = {
  '5m': NOTHING,
  '1h': NOTHING,
  '6h': NOTHING,
  '24h': NOTHING,
};

/** The figures of a row of scopes. */
export function readFigures(scopes: RowTable, buckets: RowTable, scope: number): FiguresByWindow {
  const first = firstOpen(buckets, scopes.number(scope, SCOPE.oldest));
  const last = lastClose(buckets, scopes.number(scope, SCOPE.newest));
  const read = (window: number): WindowFigures => {
    const before = scopes.number(scope, SCOPE.before, window);
    const from = before === 0 ? first : buckets.number(before - 1, BUCKET.close);
    const trades = scopes.number(scope, SCOPE.trades, window);
    const buys = scopes.number(scope, SCOPE.buys, window);
    return {
      trades,
      buys,
      sells: trades - buys,
      buyers: scopes.number(scope, SCOPE.buyers, window),
      sellers: scopes.number(scope, SCOPE.sellers, window),
      ...volumesOf(scopes, scope, window),
      priceChange: changeOf(from, last),
    };
  };
  return { '5m': read(0), '1h': read(1), '6h': read(2), '24h': read(3) };
}

function volumesOf(scopes: RowTable, scope: number, window: number) {
  const sum = (fields: typeof VOLUME) => {
    const field = fields[window];
    return field === undefined ? 0n : wideSum(scopes, scope, field);
  };
  const isKnown = sum(PRICED) * 10n >= sum(BASE) * 9n;
  if (!isKnown) return { volumeUsd: null, organicVolumeUsd: null };
  return { volumeUsd: asUsdNano(sum(VOLUME)), organicVolumeUsd: asUsdNano(sum(ORGANIC)) };
}

/** The first price from a bucket on; NaN for none. */
function firstOpen(buckets: RowTable, oldest: number): number {
  for (let next = oldest; next !== 0; next = buckets.number(next - 1, BUCKET.newerOfScope)) {
    const open = buckets.number(next - 1, BUCKET.open);
    if (!Number.isNaN(open)) return open;
  }
  return Number.NaN;
}

/** The last price up to a bucket; NaN for none. */
function lastClose(buckets: RowTable, newest: number): number {
  for (let next = newest; next !== 0; next = buckets.number(next - 1, BUCKET.olderOfScope)) {
    const close = buckets.number(next - 1, BUCKET.close);
    if (!Number.isNaN(close)) return close;
  }
  return Number.NaN;
}

function changeOf(from: number, to: number): number | null {
  if (Number.isNaN(from) || Number.isNaN(to) || from === 0) return null;
  return Math.round(((to - from) / from) * CHANGE_SCALE) / CHANGE_SCALE;
}
