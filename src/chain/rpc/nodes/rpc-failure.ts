import type { SourceProblemCode } from '../../../model/errors.ts';

/**
 * What to do after a failed request.
 * - `retry`: the same node may succeed in a moment.
 * - `elsewhere`: this node cannot answer now; another may.
 * - `absent`: the node reports that the slot has no block. That proves nothing: nodes also report
 *   this for blocks that they do not have yet or no longer have.
 * - `pruned`: the node once had it.
 * - `refused`: the node will never answer this request.
 */
export type FailureAction = 'retry' | 'elsewhere' | 'absent' | 'pruned' | 'refused';

/** What it implies about the node: nothing, that it is overloaded, or that it is faulty. */
export type FailureHarm = 'none' | 'busy' | 'fault';

/** A request without a usable result. */
export interface RpcFailure {
  readonly action: FailureAction;
  readonly harm: FailureHarm;
  /** A short name for counters: `http 429`, `rpc -32004`, `time-out`. */
  readonly name: string;
  /** Contains no secrets. */
  readonly message: string;
  /** How long the node asks clients to wait, null when it does not say. */
  readonly retryAfterMs: number | null;
  /** Set where the answer itself was invalid, which is reported as a problem. */
  readonly problem: SourceProblemCode | null;
}

interface CodeRule {
  readonly action: FailureAction;
  readonly harm: FailureHarm;
  readonly problem?: SourceProblemCode;
}

/**
 * JSON-RPC codes: those of agave's rpc-client-api/src/custom_error.rs and of the JSON-RPC standard.
 * A code that is not listed counts as a fault of the node.
 */
const CODE_RULES: Readonly<Record<number, CodeRule>> = {
  // Cleaned up: the node has pruned the block.
  [-32001]: { action: 'pruned', harm: 'none' },
  // Not rooted yet, or skipped, or lost.
  [-32004]: { action: 'absent', harm: 'none' },
  // Unhealthy: too many slots behind.
  [-32005]: { action: 'elsewhere', harm: 'busy' },
  [-32007]: { action: 'absent', harm: 'none' },
  [-32009]: { action: 'absent', harm: 'none' },
  // The node keeps no history at all.
  [-32011]: { action: 'refused', harm: 'none' },
  // The status of the block is not known yet.
  [-32014]: { action: 'retry', harm: 'none' },
  // A newer transaction version than was requested: the whole block is refused.
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

/** A JSON-RPC error. `message` comes from the node and must have been redacted. */
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

/** The connection failed: refused, reset, cut, too slow. */
export function transportFailure(name: string, message: string): RpcFailure {
  return { action: 'retry', harm: 'fault', name, message, retryAfterMs: null, problem: null };
}

/** An answer arrived complete but cannot be used: a web page, truncated JSON, another type. */
export function garbageFailure(message: string, problem: SourceProblemCode): RpcFailure {
  const name = `unfit ${problem}`;
  return { action: 'elsewhere', harm: 'fault', name, message, retryAfterMs: null, problem };
}

/** A block that is incomplete or invalid. The node works; this block is unusable. */
export function unfitBlock(message: string, problem: SourceProblemCode): RpcFailure {
  return { ...garbageFailure(message, problem), harm: 'none' };
}
