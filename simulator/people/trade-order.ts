import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { ComputeBudget } from '../chain/run-transaction.ts';
import type { Order } from '../market/order.ts';
import { buySteps, sellSteps } from '../market/trade-steps.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import type { Market } from '../venues/market.ts';
import { versionFor } from '../venues/path-market.ts';
import { routedMarket } from './routed-market.ts';

/** A payment for priority in the block. */
export interface TipPayment {
  readonly account: Address;
  readonly lamports: bigint;
}

/** The parts of a wallet's transactions besides the trade. */
export interface ClientSettings {
  readonly version: 'legacy' | 0;
  readonly computeBudget: ComputeBudget | null;
  /** The terminal's own fee, paid in the same transaction. */
  readonly terminal: { readonly feeAccount: Address; readonly feeBps: bigint } | null;
  /** Pays the network's fee for many users of a terminal. */
  readonly sponsor: Address | null;
  /** Pools are traded through the aggregator; curves never are. */
  readonly isRouted: boolean;
}

/** A wallet's own transactions, with nothing besides the trade. */
export const PLAIN_CLIENT: ClientSettings = {
  version: 0,
  computeBudget: { unitLimit: 200_000, priceMicroLamports: 100_000n },
  terminal: null,
  sponsor: null,
  isRouted: false,
};

/** A requested trade, with the amounts that are signed. */
export interface Trade {
  readonly market: Market;
  readonly trader: Address;
  readonly side: Side;
  readonly amountInRaw: bigint;
  readonly minOutRaw: bigint;
  /** The expected output: the terminal's fee on a sale is a share of this. */
  readonly expectedOutRaw: bigint;
  /** A sale of everything: the token account is closed too. */
  readonly closes: boolean;
  readonly client: ClientSettings;
  readonly tip: TipPayment | null;
  readonly priority: number;
}

const BPS = 10_000n;

/** One trade as one transaction: the swap and its accounts, the terminal's fee, a tip. */
export function tradeOrder(
  accounts: TokenAccounts,
  trade: Trade,
): Pick<Order, 'feePayer' | 'signers' | 'computeBudget' | 'version' | 'priority' | 'build'> {
  const { market, trader, client, priority } = trade;
  const { sponsor, computeBudget } = client;
  return {
    feePayer: sponsor ?? trader,
    signers: sponsor === null ? [] : [trader],
    computeBudget,
    version: versionFor(market, client.version),
    priority,
    build: (execution) => buildTrade(execution, accounts, trade),
  };
}

function buildTrade(execution: Execution, accounts: TokenAccounts, trade: Trade): void {
  const { side, trader, closes, client, tip } = trade;
  const { terminal, isRouted } = client;
  const market =
    isRouted && !trade.market.takesLamports ? routedMarket(trade.market, accounts) : trade.market;
  if (side === 'buy') buySteps(execution, accounts, { ...trade, market });
  else sellSteps(execution, accounts, { ...trade, market }, closes);
  if (terminal !== null) {
    const feeLamports = (quoteSideOf(trade) * terminal.feeBps) / BPS;
    transferLamports(execution, trader, terminal.feeAccount, feeLamports);
  }
  if (tip !== null) transferLamports(execution, trader, tip.account, tip.lamports);
}

function quoteSideOf({ side, amountInRaw, expectedOutRaw }: Trade): bigint {
  return side === 'buy' ? amountInRaw : expectedOutRaw;
}
