import { choiceInQuery } from '../../state/router.ts';
import { Findings } from './findings.tsx';
import { Launches } from './launches.tsx';
import './market.css';
import { MarketFigures } from './market-figures.tsx';
import { WINDOWS } from './market-query.ts';
import { MarketTable } from './market-table.tsx';

export function Page() {
  const window = choiceInQuery('window', WINDOWS);
  return (
    <>
      <header class="market-head">
        <h1>Market</h1>
        <MarketFigures window={window} />
      </header>
      <div class="market-grid">
        <MarketTable window={window} />
        <div class="market-feeds">
          <Findings />
          <Launches />
        </div>
      </div>
    </>
  );
}
