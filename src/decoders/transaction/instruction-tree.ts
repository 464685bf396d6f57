import type { Instruction } from '../../model/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../model/program.ts';
import { isSelfEvent } from './discriminator.ts';
import { heightsOfLogs } from './log-heights.ts';

/** Pools of Meteora's DAMM v1 move their tokens through this program; it acts for its caller. */
const METEORA_VAULT_PROGRAM = '24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi';

/** The call tree of one transaction. -1 means no parent. */
export interface InstructionTree {
  readonly parent: Int32Array;
  /**
   * The last instruction of each instruction's subtree; the instruction itself when it called
   * nothing.
   */
  readonly last: Int32Array;
}

/**
 * Builds the tree from `stackHeight`, or from the log for records older than that field. If both
 * fail, it is guessed from positions: instructions that only act for their caller (of the token,
 * system and Meteora vault programs, and self-events) belong to the closest preceding inner
 * instruction of the same outer one that is none of these, or to the outer instruction; every other
 * inner instruction belongs to the outer one. The guess cannot see that a call has returned:
 * movements of a router after a pool's call, or of a pool after calling another program, are
 * assigned to the wrong instruction.
 */
export function instructionTree(
  instructions: readonly Instruction[],
  logMessages: readonly string[],
): InstructionTree {
  const count = instructions.length;
  const parent = new Int32Array(count).fill(-1);
  const heights = heightsOf(instructions, logMessages);
  if (heights === null) linkByPosition(instructions, parent);
  else linkByHeight(instructions, heights, parent);
  const last = new Int32Array(count);
  for (let index = count - 1; index >= 0; index--) {
    if ((last[index] as number) === 0) last[index] = index;
    const up = parent[index] as number;
    if (up >= 0) last[up] = Math.max(last[up] as number, last[index] as number);
  }
  return { parent, last };
}

function heightsOf(
  instructions: readonly Instruction[],
  logMessages: readonly string[],
): Int32Array | null {
  const heights = new Int32Array(instructions.length);
  for (const { index, stackHeight } of instructions) {
    if (stackHeight <= 0) return heightsOfLogs(instructions, logMessages);
    heights[index] = stackHeight;
  }
  return heights;
}

function linkByHeight(
  instructions: readonly Instruction[],
  heights: Int32Array,
  parent: Int32Array,
): void {
  const path: number[] = [];
  let depth = 0;
  for (const { index, innerIx } of instructions) {
    // A record that skips a level is attached to the deepest caller it contains.
    depth = innerIx < 0 ? 0 : Math.min(depth, (heights[index] as number) - 1);
    parent[index] = depth === 0 ? -1 : (path[depth - 1] as number);
    path[depth] = index;
    depth++;
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
  METEORA_VAULT_PROGRAM,
]);
