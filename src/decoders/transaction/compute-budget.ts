import { readU32, readU64 } from '../../lib/little-endian.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../../model/program.ts';
import type { ChainTransaction } from '../../model/transaction.ts';

export interface ComputeBudget {
  readonly unitLimit: number | null;
  /** Null for v1 transactions, which do not state a price. */
  readonly unitPriceMicroLamports: bigint | null;
  /** The total priority fee stated by a v1 transaction. */
  readonly priorityFeeLamports: bigint | null;
}

/** Instruction tags of the compute budget program. */
const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;

/**
 * Compute budget settings of a transaction; null for settings left at their default. A v1
 * transaction has them in its config, and the runtime ignores its compute budget instructions.
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
