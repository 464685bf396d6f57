import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import {
  ensureTokenAccount,
  type TokenAccounts,
  unwrapLamports,
  wrapLamports,
} from '../programs/associated-token.ts';
import { closeTokenAccount } from '../programs/token.ts';
import type { Market } from '../venues/market.ts';
import type { TradeStyle } from '../venues/trade-style.ts';

/** One trade as a wallet sends it. */
export interface TradeSteps {
  readonly market: Market;
  readonly trader: Address;
  readonly amountInRaw: bigint;
  readonly minOutRaw: bigint;
  /** Pays for new token accounts; the trader unless there is a sponsor. */
  readonly payer?: Address;
  /** How pump's programs are called; default the trader's own style. */
  readonly style?: TradeStyle | undefined;
}

/** The outer instructions of a purchase: token account, wrapped SOL if needed, swap, unwrap. */
export function buySteps(execution: Execution, accounts: TokenAccounts, steps: TradeSteps): void {
  const { market, trader, amountInRaw, minOutRaw, style, payer = trader } = steps;
  ensureTokenAccount(execution, accounts, payer, trader, market.baseMint);
  const wraps = needsWrapping(market);
  if (wraps) wrapLamports(execution, accounts, trader, amountInRaw);
  market.swap(execution, { trader, side: 'buy', amountInRaw, minOutRaw, style });
  if (wraps) unwrapLamports(execution, accounts, trader);
}

/** The outer instructions of a sale. With `closes` the emptied token account is closed too. */
export function sellSteps(
  execution: Execution,
  accounts: TokenAccounts,
  steps: TradeSteps,
  closes = false,
): void {
  const { market, trader, amountInRaw, minOutRaw, style, payer = trader } = steps;
  const wraps = needsWrapping(market);
  if (wraps) wrapLamports(execution, accounts, trader, 0n);
  else if (!market.takesLamports) {
    ensureTokenAccount(execution, accounts, payer, trader, market.quoteMint);
  }
  market.swap(execution, { trader, side: 'sell', amountInRaw, minOutRaw, style });
  if (wraps) unwrapLamports(execution, accounts, trader);
  if (closes) {
    closeTokenAccount(execution, accounts.of(trader, market.baseMint), trader, trader);
  }
}

function needsWrapping(market: Market): boolean {
  return !market.takesLamports && market.quoteMint === WRAPPED_SOL;
}
