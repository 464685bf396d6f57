import type { Instruction } from '../../model/instruction.ts';
import type { Reserves } from '../../model/reserves.ts';
import { asRawAmount } from '../../model/units.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/**
 * Holdings of a native curve after its launch: the tokens of its vault and no SOL. Null when the
 * record has no balance of the vault. Later trades update both exactly.
 */
export function startingReserves(
  view: TransactionView,
  instruction: Instruction,
  baseVault: number,
): Reserves | null {
  const base = view.tokenBalanceAfter(baseVault, instruction);
  if (base === null) return null;
  return { base: asRawAmount(base), quote: asRawAmount(0n), virtualBase: null, virtualQuote: null };
}
