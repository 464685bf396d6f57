import type { Instruction } from '../../model/instruction.ts';
import { type Address, asRawAmount, type RawAmount } from '../../model/units.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** Amount of the token minted by a launch; null when the record shows no minting. */
export function mintedSupply(
  view: TransactionView,
  instruction: Instruction,
  mint: Address,
): RawAmount | null {
  let supply = 0n;
  for (const movement of view.tokenMovementsUnder(instruction)) {
    if (movement.kind === 'mintTo' && movement.mint === mint) supply += movement.amount;
  }
  return supply === 0n ? null : asRawAmount(supply);
}
