import { encodeBase58 } from '../../src/lib/base58.ts';
import type { Address } from '../../src/model/units.ts';
import type { CompiledInstruction, SimulatedTransaction } from '../chain/simulated-transaction.ts';
import { parseInstruction } from './parse-instruction.ts';

type FormatInstruction = (instruction: CompiledInstruction) => object;

/** All keys of a transaction: static, loaded for writing, loaded for reading. */
export function keysOf(transaction: SimulatedTransaction): readonly Address[] {
  const { staticKeys, loadedWritable, loadedReadonly, lookups } = transaction;
  return lookups.length === 0 ? staticKeys : [...staticKeys, ...loadedWritable, ...loadedReadonly];
}

/**
 * An instruction with key indexes, as in the encoding `json` and for inner instructions of others.
 */
export function formatCompiled({
  accountIndexes,
  data,
  programIndex,
  stackHeight,
}: CompiledInstruction): object {
  return {
    accounts: accountIndexes,
    data: encodeBase58(data),
    programIdIndex: programIndex,
    stackHeight,
  };
}

/** An instruction in the encoding `jsonParsed`: parsed, or with its account addresses. */
export function formatParsed(keys: readonly Address[]): FormatInstruction {
  return ({ accountIndexes, data, programIndex, stackHeight }) => {
    const programId = keyAt(keys, programIndex);
    const accounts = accountIndexes.map((index) => keyAt(keys, index));
    const parsed = parseInstruction(programId, accounts, data);
    return parsed === null
      ? { accounts, data: encodeBase58(data), programId, stackHeight }
      : { ...parsed, programId, stackHeight };
  };
}

/** Throws RangeError for an index that the message does not have. */
function keyAt(keys: readonly Address[], index: number): Address {
  const key = keys[index];
  if (key === undefined) throw new RangeError(`the message has no key ${index}`);
  return key;
}

export function formatOuter(
  instructions: readonly CompiledInstruction[],
  format: FormatInstruction,
): object[] {
  const outer: object[] = [];
  for (const instruction of instructions) {
    if (instruction.innerIx < 0) outer.push(format(instruction));
  }
  return outer;
}

/** One entry for each outer instruction that has inner ones. */
export function formatInner(
  instructions: readonly CompiledInstruction[],
  format: FormatInstruction,
): object[] {
  const groups: { index: number; instructions: object[] }[] = [];
  for (const instruction of instructions) {
    if (instruction.innerIx < 0) continue;
    let group = groups[groups.length - 1];
    if (group?.index !== instruction.outerIx) {
      group = { index: instruction.outerIx, instructions: [] };
      groups.push(group);
    }
    group.instructions.push(format(instruction));
  }
  return groups;
}
