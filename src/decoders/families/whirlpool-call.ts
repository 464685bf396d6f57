import type { Instruction } from '../../model/instruction.ts';
import type { Venue } from '../../model/program.ts';
import type { InstructionLayout } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** An instruction of the Whirlpool program or of a fork of it, with the layout of its accounts. */
export interface WhirlpoolCall {
  readonly venue: Venue;
  readonly instruction: Instruction;
  readonly view: TransactionView;
  readonly layout: InstructionLayout;
}

/** Key index of an account by its name in the layout, -1 when it has none. */
export function indexOf({ instruction, layout }: WhirlpoolCall, account: string): number {
  const position = layout.accounts[account];
  return position === undefined ? -1 : instruction.accountIndex(position);
}
