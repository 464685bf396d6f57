import type { Instruction } from '../../model/instruction.ts';
import { isSelfEvent } from './discriminator.ts';
import type { TransactionView } from './transaction-view.ts';

/**
 * Lamports an account gained during the transaction without a system transfer; null when other
 * instructions may have moved them as well.
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

/**
 * True when no other instruction of the program names the account, except those that pay it by
 * transfer.
 */
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
