import type { Instruction } from '../../model/instruction.ts';
import { isSelfEvent } from './discriminator.ts';
import type { TransactionView } from './transaction-view.ts';

/**
 * Lamports an account gained over the transaction without a system transfer; null when it cannot be
 * said that this instruction alone moved them.
 */
export function nativeGain(
  view: TransactionView,
  instruction: Instruction,
  account: number,
): bigint | null {
  const before = view.transaction.lamportsBefore[account];
  const after = view.transaction.lamportsAfter[account];
  if (before === undefined || after === undefined) return null;
  if (!isOnlyMover(view, instruction, account)) return null;
  let gained = after - before;
  for (const { from, to, lamports } of view.systemMovements) {
    if (to === account) gained -= lamports;
    if (from === account) gained += lamports;
  }
  return gained;
}

/** No other instruction of the program names the account, those that pay it by transfer apart. */
function isOnlyMover(view: TransactionView, instruction: Instruction, account: number): boolean {
  return view.transaction.instructions.every(
    (other) =>
      other === instruction ||
      other.programIndex !== instruction.programIndex ||
      isSelfEvent(other.data) ||
      !Array.from(other.accountIndexes).includes(account) ||
      view.systemMovementsUnder(other).some(({ to }) => to === account),
  );
}
