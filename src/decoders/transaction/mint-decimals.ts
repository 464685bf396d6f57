import type { Address } from '../../model/units.ts';
import { isTokenProgram } from './token-movements.ts';
import type { TransactionView } from './transaction-view.ts';

const INITIALIZE_MINT = 0;
const INITIALIZE_MINT_2 = 20;

/**
 * Decimals of a mint as shown in the transaction: by its token balances, or by the instruction that
 * initialises the mint. Null when neither does; never a default.
 */
export function mintDecimals(view: TransactionView, mint: Address): number | null {
  return view.decimalsOf(mint) ?? initialisedDecimals(view, mint);
}

function initialisedDecimals(view: TransactionView, mint: Address): number | null {
  for (const instruction of view.transaction.instructions) {
    if (!isTokenProgram(instruction.programId) || instruction.account(0) !== mint) continue;
    const [tag, decimals] = instruction.data;
    const isInitialisation = tag === INITIALIZE_MINT || tag === INITIALIZE_MINT_2;
    if (isInitialisation && decimals !== undefined) return decimals;
  }
  return null;
}
