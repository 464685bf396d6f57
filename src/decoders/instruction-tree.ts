import type { Instruction } from '../model/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../model/program.ts';
import { isSelfEvent } from './discriminator.ts';

/** Who called whom in one transaction. -1 stands for nobody. */
export interface InstructionTree {
  readonly parent: Int32Array;
  /** The last instruction of each instruction's subtree, itself when it called nothing. */
  readonly last: Int32Array;
}

/**
 * Builds the tree from `stackHeight`. Records older than that field get the flat rule: token,
 * system and self-event instructions belong to the closest preceding inner instruction of the same
 * outer one that is neither, or to the outer instruction; every other inner instruction belongs to
 * the outer one.
 */
export function instructionTree(instructions: readonly Instruction[]): InstructionTree {
  const count = instructions.length;
  const parent = new Int32Array(count).fill(-1);
  const isNested = instructions.every((ix) => ix.stackHeight > 0);
  if (isNested) linkByHeight(instructions, parent);
  else linkByPosition(instructions, parent);
  const last = new Int32Array(count);
  for (let index = count - 1; index >= 0; index--) {
    if ((last[index] as number) === 0) last[index] = index;
    const up = parent[index] as number;
    if (up >= 0) last[up] = Math.max(last[up] as number, last[index] as number);
  }
  return { parent, last };
}

function linkByHeight(instructions: readonly Instruction[], parent: Int32Array): void {
  const path: number[] = [];
  for (const { index, innerIx, stackHeight } of instructions) {
    if (innerIx < 0) path.length = 0;
    // A record that skips a level hangs below the deepest caller it does show.
    path.length = Math.min(path.length, stackHeight - 1);
    parent[index] = path.length === 0 ? -1 : (path[path.length - 1] as number);
    path.push(index);
  }
}

function linkByPosition(instructions: readonly Instruction[], parent: Int32Array): void {
  let outer = -1;
  let caller = -1;
  for (const instruction of instructions) {
    if (instruction.innerIx < 0) {
      outer = instruction.index;
      caller = instruction.index;
    } else if (isLeaf(instruction)) {
      parent[instruction.index] = caller;
    } else {
      parent[instruction.index] = outer;
      caller = instruction.index;
    }
  }
}

function isLeaf(instruction: Instruction): boolean {
  return LEAF_PROGRAMS.has(instruction.programId) || isSelfEvent(instruction.data);
}

const LEAF_PROGRAMS: ReadonlySet<string> = new Set([
  SPL_TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  SYSTEM_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
]);
