import type { Instruction } from '../../model/instruction.ts';

/** Tag of p-token's batch: several token instructions in one. */
const BATCH = 255;

/**
 * Visits an instruction of a token program as single calls: the instruction itself, or each part of
 * a batch. A batch is any number of consecutive (account count u8, data length u8, data). The
 * accounts of a part begin at `firstAccount`. The program rejects nested batches, so none is
 * visited.
 */
export function forEachTokenCall(
  instruction: Instruction,
  visit: (data: Uint8Array, firstAccount: number) => void,
): void {
  const { data } = instruction;
  if (data[0] !== BATCH) {
    visit(data, 0);
    return;
  }
  let offset = 1;
  let firstAccount = 0;
  while (offset + 2 <= data.length) {
    const length = data[offset + 1] as number;
    const part = data.subarray(offset + 2, offset + 2 + length);
    if (part[0] !== BATCH) visit(part, firstAccount);
    firstAccount += data[offset] as number;
    offset += 2 + length;
  }
}
