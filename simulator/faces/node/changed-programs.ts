import type {
  CompiledInstruction,
  SimulatedBlock,
  SimulatedTransaction,
} from '../../chain/simulated-transaction.ts';
import type { FaultSettings } from './fault-settings.ts';

/** Replaces an instruction's first bytes; no program of the simulated chain uses these. */
const UNKNOWN_DISCRIMINATOR = Uint8Array.of(0xc0, 0xff, 0xee, 0xc0, 0xff, 0xee, 0x00, 0x01);

/**
 * The block as if these programs had new instructions: accounts, balances and transfers are
 * unchanged, the first eight bytes of the instructions differ.
 */
export function withChangedPrograms(
  block: SimulatedBlock,
  programs: FaultSettings['changedPrograms'],
): SimulatedBlock {
  const changed = Object.entries(programs)
    .filter(([, { fromSlot, toSlot }]) => isWithin(block.slot, fromSlot, toSlot))
    .map(([program]) => program);
  if (changed.length === 0) return block;
  const transactions = block.transactions.map((transaction) =>
    transaction.isVote ? transaction : withChanged(transaction, new Set(changed)),
  );
  return { ...block, transactions };
}

function isWithin(slot: number, fromSlot: number, toSlot: number | null): boolean {
  return slot >= fromSlot && (toSlot === null || slot <= toSlot);
}

function withChanged(
  transaction: SimulatedTransaction,
  changed: ReadonlySet<string>,
): SimulatedTransaction {
  const { staticKeys, loadedWritable, loadedReadonly, instructions } = transaction;
  const keys = [...staticKeys, ...loadedWritable, ...loadedReadonly];
  const isChanged = ({ programIndex }: CompiledInstruction) =>
    changed.has(keys[programIndex] ?? '');
  if (!instructions.some(isChanged)) return transaction;
  return {
    ...transaction,
    instructions: instructions.map((instruction) =>
      isChanged(instruction) ? withUnknownData(instruction) : instruction,
    ),
  };
}

function withUnknownData(instruction: CompiledInstruction): CompiledInstruction {
  const data = new Uint8Array(Math.max(instruction.data.length, UNKNOWN_DISCRIMINATOR.length));
  data.set(instruction.data);
  data.set(UNKNOWN_DISCRIMINATOR);
  return { ...instruction, data };
}
