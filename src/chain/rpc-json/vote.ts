import { decodeBase58 } from '../../lib/base58.ts';
import { COMPUTE_BUDGET_PROGRAM, VOTE_PROGRAM } from '../../model/program.ts';
import type { JsonMessage } from './json-message.ts';
import { isObject } from './json-value.ts';
import type { WireTransaction } from './wire-transaction.ts';

/**
 * A vote transaction calls the vote program and, apart from compute budget, no other. Most
 * transactions of a block are votes; each of these functions decides from what its encoding shows
 * cheaply.
 */
export function isWireVote(wire: WireTransaction): boolean {
  let votes = 0;
  for (const { programIndex } of wire.instructions) {
    if (programIndex >= wire.staticKeyCount) return false;
    const offset = wire.keyOffset + 32 * programIndex;
    if (isKeyAt(wire.bytes, offset, VOTE_BYTES)) votes++;
    else if (!isKeyAt(wire.bytes, offset, COMPUTE_BUDGET_BYTES)) return false;
  }
  return votes > 0;
}

export function isMessageVote({ instructions, keys }: JsonMessage): boolean {
  let votes = 0;
  for (const instruction of instructions) {
    if (!isObject(instruction)) return false;
    const { programId, programIdIndex } = instruction;
    const program = programIdIndex === undefined ? programId : keyAt(keys, programIdIndex);
    if (program === VOTE_PROGRAM) votes++;
    else if (program !== COMPUTE_BUDGET_PROGRAM) return false;
  }
  return votes > 0;
}

/** The record is untrusted: an index of another type, such as a property name, could throw. */
function keyAt(keys: JsonMessage['keys'], index: unknown): unknown {
  return typeof index === 'number' ? keys[index] : undefined;
}

const INVOCATION = /^Program (\S+) invoke \[/;

/**
 * Decides by the log alone. Only a successful transaction with a complete log shows every program
 * that was called, so anything else does not count as a vote here.
 */
export function isLoggedVote(meta: unknown): boolean {
  if (!isObject(meta) || meta.err !== null || !Array.isArray(meta.logMessages)) return false;
  let votes = 0;
  for (const line of meta.logMessages as unknown[]) {
    if (typeof line !== 'string' || line === 'Log truncated') return false;
    const program = INVOCATION.exec(line)?.[1];
    if (program === VOTE_PROGRAM) votes++;
    else if (program !== undefined && program !== COMPUTE_BUDGET_PROGRAM) return false;
  }
  return votes > 0;
}

export const VOTE_BYTES = decodeBase58(VOTE_PROGRAM) as Uint8Array;
export const COMPUTE_BUDGET_BYTES = decodeBase58(COMPUTE_BUDGET_PROGRAM) as Uint8Array;

/** Whether the bytes from `offset` on are those of a key. */
export function isKeyAt(bytes: Uint8Array, offset: number, key: Uint8Array): boolean {
  for (let at = 0; at < key.length; at++) {
    if (bytes[offset + at] !== key[at]) return false;
  }
  return true;
}
