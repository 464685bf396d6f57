import type { AccountKeys } from '../../model/account-keys.ts';
import { Instruction } from '../../model/instruction.ts';
import {
  addressOf,
  arrayOf,
  count,
  countOrNull,
  type JsonObject,
  objectOf,
  RecordRefusal,
} from './json-value.ts';
import { rebuildInstruction } from './parsed-instruction.ts';
import type { CompiledInstruction } from './wire-transaction.ts';

const BASE58_TEXT = /^[1-9A-HJ-NP-Za-km-z]*$/;
const OUTER_HEIGHT = 1;
const NO_DATA = new Uint8Array(0);
const NO_INSTRUCTIONS: readonly unknown[] = [];

/**
 * Lists outer and inner instructions in execution order and checks every index against the keys.
 */
export function listInstructions(
  keys: AccountKeys,
  outer: readonly CompiledInstruction[] | readonly unknown[],
  innerGroups: readonly unknown[],
  isCompiled: boolean,
): Instruction[] {
  const reader = new InstructionReader(keys);
  const inner = groupByOuter(innerGroups, outer.length);
  for (let outerIx = 0; outerIx < outer.length; outerIx++) {
    const instruction = isCompiled
      ? (outer[outerIx] as CompiledInstruction)
      : reader.read(objectOf(outer[outerIx], 'instruction'));
    reader.add(instruction, outerIx, -1, OUTER_HEIGHT);
    const group = inner?.[outerIx] ?? NO_INSTRUCTIONS;
    for (let innerIx = 0; innerIx < group.length; innerIx++) {
      const value = objectOf(group[innerIx], 'inner instruction');
      const height = countOrNull(value.stackHeight, 'stackHeight') ?? 0;
      reader.add(reader.read(value), outerIx, innerIx, height);
    }
  }
  return reader.list;
}

/** Inner instructions by their outer instruction; null when there are none. */
function groupByOuter(
  groups: readonly unknown[],
  outerCount: number,
): (readonly unknown[] | undefined)[] | null {
  if (groups.length === 0) return null;
  const inner = new Array<readonly unknown[] | undefined>(outerCount);
  for (const entry of groups) {
    const group = objectOf(entry, 'innerInstructions');
    const index = count(group.index, 'inner instruction index');
    if (index >= outerCount) throw outOfRange('inner instruction index', index, outerCount);
    const instructions = arrayOf(group.instructions, 'inner instructions');
    inner[index] = inner[index]?.concat(instructions) ?? instructions;
  }
  return inner;
}

/** Reads instruction objects of one transaction, compiled or parsed. */
class InstructionReader {
  readonly list: Instruction[] = [];
  private readonly keys: AccountKeys;
  private indexByText: Map<string, number> | null = null;

  constructor(keys: AccountKeys) {
    this.keys = keys;
  }

  add(
    { programIndex, accountIndexes, data }: CompiledInstruction,
    outerIx: number,
    innerIx: number,
    stackHeight: number,
  ): void {
    const position = { index: this.list.length, outerIx, innerIx, stackHeight };
    this.list.push(new Instruction(this.keys, position, programIndex, accountIndexes, data));
  }

  read(instruction: JsonObject): CompiledInstruction {
    return instruction.programIdIndex === undefined
      ? this.readNamed(instruction)
      : this.readCompiled(instruction);
  }

  private readCompiled({ programIdIndex, accounts, data }: JsonObject): CompiledInstruction {
    const keyCount = this.keys.length;
    const indexes = arrayOf(accounts, 'instruction accounts');
    for (let at = 0; at < indexes.length; at++) checkIndex(indexes[at], keyCount, 'account index');
    checkIndex(programIdIndex, keyCount, 'program index');
    return {
      programIndex: programIdIndex as number,
      accountIndexes: indexes as readonly number[],
      data: dataText(data),
    };
  }

  /** An instruction with its accounts by address: parsed by the node, or raw with base58 data. */
  private readNamed({ programId, accounts, data, parsed }: JsonObject): CompiledInstruction {
    const program = addressOf(programId, 'programId');
    const programIndex = this.indexOf(program);
    if (parsed === undefined) {
      const addresses = arrayOf(accounts, 'instruction accounts');
      const accountIndexes = addresses.map((text) => this.indexOf(text));
      return { programIndex, accountIndexes, data: dataText(data) };
    }
    const rebuilt = rebuildInstruction(program, parsed);
    const accountIndexes = rebuilt?.accounts.map((text) => this.indexOf(text)) ?? [];
    return { programIndex, accountIndexes, data: rebuilt?.data ?? NO_DATA };
  }

  private indexOf(text: unknown): number {
    this.indexByText ??= indexTexts(this.keys);
    const index = this.indexByText.get(text as string);
    if (index !== undefined) return index;
    const shown = String(text).slice(0, 60);
    throw new RecordRefusal('bad-transaction', `account ${shown} is not among the keys`);
  }
}

function indexTexts(keys: AccountKeys): Map<string, number> {
  const indexes = new Map<string, number>();
  for (let index = keys.length - 1; index >= 0; index--) indexes.set(keys.at(index), index);
  return indexes;
}

function checkIndex(index: unknown, keyCount: number, field: string): void {
  const isWithin =
    Number.isInteger(index) && (index as number) >= 0 && (index as number) < keyCount;
  if (!isWithin) throw outOfRange(field, index, keyCount);
}

function outOfRange(field: string, index: unknown, count: number): RecordRefusal {
  return new RecordRefusal('bad-transaction', `${field} ${JSON.stringify(index)} of ${count}`);
}

function dataText(data: unknown): string {
  if (typeof data === 'string' && BASE58_TEXT.test(data)) return data;
  throw new RecordRefusal('bad-encoding', 'instruction data is not base58');
}
