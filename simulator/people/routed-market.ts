import type { Side } from '../../src/model/swap.ts';
import type { Execution } from '../chain/execution.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import { routeSwap } from '../venues/jupiter-route.ts';
import type { Market, SwapRequest } from '../venues/market.ts';

/** The same pool, traded through the aggregator. Not for pools that take lamports. */
export function routedMarket(market: Market, accounts: TokenAccounts): Market {
  const { venue, pool, baseMint, quoteMint, takesLamports } = market;
  return {
    venue,
    pool,
    baseMint,
    quoteMint,
    takesLamports,
    isOpen: (ledger: Ledger) => market.isOpen(ledger),
    quote: (ledger: Ledger, side: Side, amountInRaw: bigint) =>
      market.quote(ledger, side, amountInRaw),
    spotPrice: (ledger: Ledger) => market.spotPrice(ledger),
    reserves: (ledger: Ledger) => market.reserves(ledger),
    swap(execution: Execution, { trader, side, amountInRaw, minOutRaw }: SwapRequest): void {
      const hops = [{ market, side }];
      routeSwap(execution, accounts, { trader, hops, amountInRaw, minOutRaw });
    },
  };
}
