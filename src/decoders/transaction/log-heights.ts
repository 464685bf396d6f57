import type { Instruction } from '../../model/instruction.ts';

/** Signature checks done by the runtime: these programs execute no code and log nothing. */
const PRECOMPILES: ReadonlySet<string> = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);

const INVOCATION = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[([1-9]\d{0,2})\]$/;

/**
 * Call depths of instructions from the runtime's own log lines, for records older than
 * `stackHeight`. Null unless the lines name exactly these instructions in this order, since a
 * truncated or missing log proves nothing.
 */
export function heightsOfLogs(
  instructions: readonly Instruction[],
  logMessages: readonly string[],
): Int32Array | null {
  const heights = new Int32Array(instructions.length).fill(1);
  let next = 0;
  for (const line of logMessages) {
    const match = INVOCATION.exec(line);
    if (match === null) continue;
    next = skipPrecompiles(instructions, next);
    const instruction = instructions[next];
    const height = Number(match[2]);
    if (instruction === undefined || instruction.programId !== match[1]) return null;
    if (instruction.innerIx < 0 !== (height === 1)) return null;
    heights[next++] = height;
  }
  return skipPrecompiles(instructions, next) === instructions.length ? heights : null;
}

function skipPrecompiles(instructions: readonly Instruction[], from: number): number {
  let next = from;
  while (
    next < instructions.length &&
    PRECOMPILES.has((instructions[next] as Instruction).programId)
  )
    next++;
  return next;
}
