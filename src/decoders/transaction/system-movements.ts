import { readU32, readU64 } from '../../lib/little-endian.ts';
import type { Instruction } from '../../model/instruction.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import type { ChainTransaction } from '../../model/transaction.ts';

/** Lamports moved by the system program. Accounts are key indices. */
export interface SystemMovement {
  readonly instruction: Instruction;
  readonly kind: 'transfer' | 'createAccount';
  readonly from: number;
  readonly to: number;
  readonly lamports: bigint;
}

/** Instruction tags of the system program (u32, little endian). */
const CREATE_ACCOUNT = 0;
const TRANSFER = 2;
const CREATE_ACCOUNT_WITH_SEED = 3;
const WITHDRAW_NONCE_ACCOUNT = 5;
const TRANSFER_WITH_SEED = 11;
const CREATE_ACCOUNT_ALLOW_PREFUND = 13;

/** The movements by the system program in a transaction, in execution order. */
export function readSystemMovements({ instructions }: ChainTransaction): SystemMovement[] {
  const movements: SystemMovement[] = [];
  for (const instruction of instructions) {
    if (instruction.programId !== SYSTEM_PROGRAM) continue;
    const movement = readSystemMovement(instruction);
    if (movement !== null) movements.push(movement);
  }
  return movements;
}

/** The movement made by an instruction of the system program; null for one that moves nothing. */
export function readSystemMovement(instruction: Instruction): SystemMovement | null {
  const { data } = instruction;
  if (data.length < 12) return null;
  const move = (kind: SystemMovement['kind'], from: number, to: number, offset: number) => ({
    instruction,
    kind,
    from: instruction.accountIndex(from),
    to: instruction.accountIndex(to),
    lamports: readU64(data, offset),
  });
  switch (readU32(data, 0)) {
    case CREATE_ACCOUNT:
      return move('createAccount', 0, 1, 4);
    case TRANSFER:
    case WITHDRAW_NONCE_ACCOUNT:
      return move('transfer', 0, 1, 4);
    case TRANSFER_WITH_SEED:
      return move('transfer', 0, 2, 4);
    case CREATE_ACCOUNT_ALLOW_PREFUND:
      return move('createAccount', 1, 0, 4);
    case CREATE_ACCOUNT_WITH_SEED: {
      const offset = seedEnd(data);
      return offset < 0 ? null : move('createAccount', 0, 1, offset);
    }
    default:
      return null;
  }
}

/** After the tag: base key (32), seed (u64 length, bytes), then lamports. */
function seedEnd(data: Uint8Array): number {
  if (data.length < 44) return -1;
  const length = readU32(data, 36);
  const end = 44 + length;
  return end + 8 <= data.length ? end : -1;
}
