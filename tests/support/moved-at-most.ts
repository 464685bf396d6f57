import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/model/program.ts';
import type { ChainTransaction } from '../../src/model/transaction.ts';

const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM]);

/**
 * An upper limit for every amount of any mint in a transaction: the sum of the amounts in its token
 * and system instructions, and of the changes of its lamport balances. Shares no code with the
 * decoders.
 */
export function movedAtMost(transaction: ChainTransaction): bigint {
  let sum = 0n;
  for (const { programId, data } of transaction.instructions) {
    if (TOKEN_PROGRAMS.has(programId)) sum += tokenAmount(data);
    if (programId === SYSTEM_PROGRAM) sum += u64At(data, 4);
  }
  transaction.lamportsAfter.forEach((after, index) => {
    const change = after - (transaction.lamportsBefore[index] ?? 0n);
    sum += change < 0n ? -change : change;
  });
  return sum;
}

/** Transfer, MintTo, Burn and their checked forms: the amount follows the tag. */
const AMOUNT_AFTER_TAG: ReadonlySet<number> = new Set([3, 7, 8, 12, 14, 15]);
/** Extensions that move tokens: it follows a second tag. */
const AMOUNT_AFTER_SECOND_TAG: ReadonlySet<number> = new Set([26, 45, 46]);
const BATCH = 255;

function tokenAmount(data: Uint8Array): bigint {
  const [tag = -1] = data;
  if (AMOUNT_AFTER_TAG.has(tag)) return u64At(data, 1);
  if (AMOUNT_AFTER_SECOND_TAG.has(tag)) return u64At(data, 2);
  if (tag !== BATCH) return 0n;
  let sum = 0n;
  let at = 1;
  while (at + 2 <= data.length) {
    const end = at + 2 + (data[at + 1] ?? 0);
    const part = data.subarray(at + 2, end);
    sum += part[0] === BATCH ? 0n : tokenAmount(part);
    at = end;
  }
  return sum;
}

function u64At(data: Uint8Array, offset: number): bigint {
  if (offset + 8 > data.length) return 0n;
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(offset, true);
}
