import { readU32, readU64 } from '../../lib/little-endian.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../../model/program.ts';
import type { ChainTransaction } from '../../model/transaction.ts';

export interface ComputeBudget {
  readonly unitLimit: number | null;
  /** Null for v1 transactions, which name no price. */
  readonly unitPriceMicroLamports: bigint | null;
  /** The priority fee that a v1 transaction names as a sum. */
  readonly priorityFeeLamports: bigint | null;
}

/** Instruction tags of the compute budget program. */
const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;

/**
 * What the transaction asked of the compute budget; null for what it left to the default. A v1
 * transaction asks in its config, and the runtime passes over its compute budget instructions.
 */
export function readComputeBudget(transaction: ChainTransaction): ComputeBudget {
  if (transaction.version === 1) {
    const { computeUnitLimit = null, priorityFeeLamports = null } = transaction.config ?? {};
    return { unitLimit: computeUnitLimit, unitPriceMicroLamports: null, priorityFeeLamports };
  }
  let unitLimit: number | null = null;
  let unitPriceMicroLamports: bigint | null = null;
  for (const instruction of transaction.instructions) {
    if (instruction.innerIx >= 0 || instruction.programId !== COMPUTE_BUDGET_PROGRAM) continue;
    const { data } = instruction;
    if (data[0] === SET_UNIT_LIMIT && data.length >= 5) unitLimit = readU32(data, 1);
    if (data[0] === SET_UNIT_PRICE && data.length >= 9) {
      unitPriceMicroLamports = readU64(data, 1);
    }
  }
  return { unitLimit, unitPriceMicroLamports, priorityFeeLamports: null };
}
