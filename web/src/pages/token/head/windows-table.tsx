import { formatCount, formatPercent } from '../../../format/numbers.ts';
import { Figure } from '../../../ui/figure.tsx';
import type { ListedToken } from '../token-types.ts';

const WINDOWS = ['5m', '1h', '6h', '24h'] as const;
const UNPRICED = 'Less than 90 % of the volume has a known price';

/** Trading of the last minutes and hours over all pools. */
export function WindowsTable({ listed }: { readonly listed: ListedToken | null }) {
  const windows = listed?.windows ?? null;
  if (windows === null) {
    return <p class="token-note">Windows of the last minutes and hours are not known yet.</p>;
  }
  return (
    <section class="token-windows" tabIndex={0} aria-label="Trading by window">
      <table>
        <caption class="visually-hidden">Trading of the last 5 minutes to 24 hours</caption>
        <thead>
          <tr>
            <th scope="col">Window</th>
            <th scope="col">Price</th>
            <th scope="col">Volume</th>
            <th scope="col" title="Of trades that are not of bots, wash trades or arbitrage">
              Organic
            </th>
            <th scope="col">Buys / sells</th>
            <th scope="col">Buyers / sellers</th>
          </tr>
        </thead>
        <tbody>
          {WINDOWS.map((name) => {
            const window = windows[name];
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <Figure value={window.price_change} kind="change" reason="No price in it" />
                </td>
                <td>
                  <Figure value={window.volume_usd} kind="usd" reason={UNPRICED} />
                </td>
                <td>
                  <Figure value={window.organic_volume_usd} kind="usd" reason={UNPRICED} />
                </td>
                <td title={shareOf(window.buys, window.sells, 'of the trades are buys')}>
                  <span class="rising">{formatCount(window.buys)}</span> /{' '}
                  <span class="falling">{formatCount(window.sells)}</span>
                </td>
                <td>
                  {formatCount(window.buyers)} / {formatCount(window.sellers)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function shareOf(part: number, rest: number, text: string): string {
  if (part + rest === 0) return 'No trades';
  return `${formatPercent((part / (part + rest)).toFixed(4))} ${text}`;
}
