import type { Address } from '../../src/model/units.ts';
import { JITO_TIP_ACCOUNTS } from '../people/tip-accounts.ts';
import { tradeOrder } from '../people/trade-order.ts';
import type { Market } from '../venues/market.ts';
import type { ScenarioContext } from './scenario.ts';
import type { PlainOrder } from './sending.ts';

const FEE_BPS = 100n;
const TIP_LAMPORTS = 1_000_000n;

/** A purchase through a terminal: its relay signs and pays, and a fee goes to the terminal. */
export function terminalOrder(
  { world, random }: ScenarioContext,
  market: Market,
  order: {
    readonly trader: Address;
    readonly lamports: bigint;
    readonly relay: Address;
    readonly feeAccount: Address;
  },
): PlainOrder {
  const { trader, lamports, relay, feeAccount } = order;
  const expectedOutRaw = market.quote(world.chain.ledger, 'buy', lamports);
  return tradeOrder(world.tokenAccounts, {
    market,
    trader,
    side: 'buy',
    amountInRaw: lamports,
    expectedOutRaw,
    minOutRaw: (expectedOutRaw * 7n) / 10n,
    closes: false,
    priority: 100_000,
    tip: { account: random.pick(JITO_TIP_ACCOUNTS), lamports: TIP_LAMPORTS },
    client: {
      version: 0,
      computeBudget: { unitLimit: 250_000, priceMicroLamports: 100_000n },
      terminal: { feeAccount, feeBps: FEE_BPS },
      sponsor: relay,
      isRouted: false,
    },
  });
}
