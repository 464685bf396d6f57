import type { SourceProblemCode } from '../../../model/errors.ts';

/**
 * What to do about an answer that is none.
 * - `retry`: the same node may do better in a moment.
 * - `elsewhere`: this node cannot now; another may.
 * - `absent`: it says that the slot has no block. That proves nothing: nodes say it of blocks that
 *   they do not have yet or any more.
 * - `pruned`: it once had it.
 * - `refused`: it will never answer this question as it was asked.
 */
export type FailureAction = 'retry' | 'elsewhere' | 'absent' | 'pruned' | 'refused';

/** What it says of the node: nothing, that it wants fewer requests, or that it does not work. */
export type FailureHarm = 'none' | 'busy' | 'fault';

/** A request that brought no result. */
export interface RpcFailure {
  readonly action: FailureAction;
  readonly harm: FailureHarm;
  /** A short name that can be counted by: `http 429`, `rpc -32004`, `time-out`. */
  readonly name: string;
  /** Without anything secret. */
  readonly message: string;
  /** How long the node asks to be left alone, null when it does not say. */
  readonly retryAfterMs: number | null;
  /** Set where the answer itself was unfit, which somebody should hear of. */
  readonly problem: SourceProblemCode | null;
}

interface CodeRule {
  readonly action: FailureAction;
  readonly harm: FailureHarm;
  readonly problem?: SourceProblemCode;
}

/**
 * JSON-RPC codes: those of agave's rpc-client-api/src/custom_error.rs and of the JSON-RPC standard.
 * A code that is not listed is taken as a fault of the node.
 */
const CODE_RULES: Readonly<Record<number, CodeRule>> = {
  // Cleaned up: the node has forgotten the block.
  [-32001]: { action: 'pruned', harm: 'none' },
  // Not rooted yet, or skipped, or lost.
  [-32004]: { action: 'absent', harm: 'none' },
  // Unhealthy: so many slots behind.
  [-32005]: { action: 'elsewhere', harm: 'busy' },
  [-32007]: { action: 'absent', harm: 'none' },
  [-32009]: { action: 'absent', harm: 'none' },
  // Keeps no history at all.
  [-32011]: { action: 'refused', harm: 'none' },
  // Status of the block not known yet.
  [-32014]: { action: 'retry', harm: 'none' },
  // A newer transaction version than was asked for: the whole block is refused.
  [-32015]: { action: 'elsewhere', harm: 'none', problem: 'unsupported-version' },
  [-32016]: { action: 'retry', harm: 'none' },
  // Long-term storage does not answer.
  [-32019]: { action: 'elsewhere', harm: 'none' },
  [-32429]: { action: 'retry', harm: 'busy' },
  [-32600]: { action: 'refused', harm: 'fault' },
  [-32601]: { action: 'refused', harm: 'none' },
  [-32602]: { action: 'refused', harm: 'none' },
  [-32603]: { action: 'retry', harm: 'fault' },
  [-32700]: { action: 'retry', harm: 'fault' },
};

const UNKNOWN_CODE: CodeRule = { action: 'elsewhere', harm: 'fault' };

/** An error as JSON-RPC tells it. The message is the node's, and must have been redacted. */
export function codeFailure(code: number, message: string): RpcFailure {
  const { action, harm, problem = null } = CODE_RULES[code] ?? UNKNOWN_CODE;
  const retryAfterMs = null;
  return { action, harm, name: `rpc ${code}`, message, retryAfterMs, problem };
}

/** An HTTP status other than 200. */
export function statusFailure(status: number, retryAfterMs: number | null): RpcFailure {
  const isBusy = status === 429 || status === 503;
  const isRetried = isBusy || status >= 500;
  return {
    action: isRetried ? 'retry' : 'elsewhere',
    harm: isBusy ? 'busy' : 'fault',
    name: `http ${status}`,
    message: `the node answered with HTTP status ${status}`,
    retryAfterMs,
    problem: null,
  };
}

/** The connection did not hold: refused, reset, cut, too slow. */
export function transportFailure(name: string, message: string): RpcFailure {
  return { action: 'retry', harm: 'fault', name, message, retryAfterMs: null, problem: null };
}

/** An answer arrived whole and cannot be used: a web page, half a JSON text, another type. */
export function garbageFailure(message: string, problem: SourceProblemCode): RpcFailure {
  const name = `unfit ${problem}`;
  return { action: 'elsewhere', harm: 'fault', name, message, retryAfterMs: null, problem };
}

/** A block arrived and is not whole or not believable. The node works; this block of its does not. */
export function unfitBlock(message: string, problem: SourceProblemCode): RpcFailure {
  return { ...garbageFailure(message, problem), harm: 'none' };
}
