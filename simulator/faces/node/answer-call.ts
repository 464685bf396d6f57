import { accountMethods } from './account-methods.ts';
import { blockMethods } from './block-methods.ts';
import { chainMethods } from './chain-methods.ts';
import { withHugeInteger, withWrongType } from './damage.ts';
import { type CallContext, type Method, type NodeState, viewOf } from './node-state.ts';
import { errorOfCode, methodNotFound, RpcError } from './rpc-error.ts';
import { errorText, type RefusedCall, type RpcCall, resultText } from './rpc-message.ts';
import { transactionMethods } from './transaction-methods.ts';

const METHODS = new Map<string, Method>(
  [chainMethods, blockMethods, transactionMethods, accountMethods].flatMap(Object.entries),
);

/** Errors that refer to a block, and the methods that request one. */
const BLOCK_ERRORS = [-32001, -32004, -32007, -32009, -32014];
const BLOCK_METHODS = ['getBlock', 'getBlockTime'];
const VERSION_METHODS = ['getBlock', 'getTransaction'];

/** The content of a call without its id: the key for decisions about faults. */
export function questionOf(call: RpcCall | RefusedCall): string {
  return 'refusal' in call
    ? 'unreadable'
    : `${call.method} ${JSON.stringify(call.params)}`.slice(0, 200);
}

/** The answer's text; null for a notification, which has no answer. */
export function answerCall(node: NodeState, call: RpcCall | RefusedCall): string | null {
  if ('refusal' in call) return errorText(call.id, call.refusal);
  const key = node.faults.ask(questionOf(call));
  const { id } = call;
  try {
    const result = resultOf({ node, key, view: viewOf(node, key) }, call);
    return id === undefined ? null : resultText(id, damagedResult(node, key, result));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return id === undefined ? null : errorText(id, error);
  }
}

function resultOf(context: CallContext, { method, params }: RpcCall): string {
  const answer = METHODS.get(method);
  if (answer === undefined) throw methodNotFound();
  const { node, key, view } = context;
  const code = node.faults.code('rpcErrors', key, (known) => isErrorOf(known, method));
  if (code !== null) {
    const slot = Number.isSafeInteger(params[0]) ? Number(params[0]) : view.tip('processed').slot;
    throw errorOfCode(code, slot, node.faults.settings.behindSlots);
  }
  return answer(context, params);
}

function isErrorOf(code: number, method: string): boolean {
  if (BLOCK_ERRORS.includes(code)) return BLOCK_METHODS.includes(method);
  return code === -32015 ? VERSION_METHODS.includes(method) : true;
}

function damagedResult({ faults }: NodeState, key: string, result: string): string {
  let damaged = result;
  if (faults.strikes('wrongTypes', key)) {
    damaged = withWrongType(damaged, faults.details('wrongTypes', key));
  }
  if (faults.strikes('hugeIntegers', key)) {
    damaged = withHugeInteger(damaged, faults.details('hugeIntegers', key));
  }
  return damaged;
}
