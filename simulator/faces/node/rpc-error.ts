/**
 * A refusal in a node's words: JSON-RPC's own codes and those of agave's
 * rpc-client-api/src/custom_error.rs, with the messages that clients are known to match.
 */
export class RpcError extends Error {
  readonly code: number;
  /** Sent as `error.data`; omitted if undefined. */
  readonly data: object | undefined;

  constructor(code: number, message: string, data?: object) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export function parseError(): RpcError {
  return new RpcError(-32700, 'Parse error');
}

export function invalidRequest(message = 'Invalid request'): RpcError {
  return new RpcError(-32600, message);
}

export function methodNotFound(): RpcError {
  return new RpcError(-32601, 'Method not found');
}

export function invalidParams(message: string): RpcError {
  return new RpcError(-32602, message);
}

export function internalError(): RpcError {
  return new RpcError(-32603, 'Internal error');
}

export function blockCleanedUp(slot: number, firstAvailable: number): RpcError {
  const message = `Block ${slot} cleaned up, does not exist on node. First available block: ${firstAvailable}`;
  return new RpcError(-32001, message);
}

export function blockNotAvailable(slot: number): RpcError {
  return new RpcError(-32004, `Block not available for slot ${slot}`);
}

export function nodeBehind(slots: number): RpcError {
  return new RpcError(-32005, `Node is behind by ${slots} slots`, { numSlotsBehind: slots });
}

export function slotSkipped(slot: number): RpcError {
  const message = `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`;
  return new RpcError(-32007, message);
}

export function missingInLongTermStorage(slot: number): RpcError {
  return new RpcError(-32009, `Slot ${slot} was skipped, or missing in long-term storage`);
}

export function historyNotAvailable(): RpcError {
  return new RpcError(-32011, 'Transaction history is not available from this node');
}

export function statusNotYetAvailable(slot: number): RpcError {
  return new RpcError(-32014, `Block status not yet available for slot ${slot}`);
}

export function unsupportedVersion(version: number): RpcError {
  const message =
    `Transaction version (${version}) is not supported by the requesting client. Please try the ` +
    'request again with the following configuration parameter: ' +
    `"maxSupportedTransactionVersion": ${version}`;
  return new RpcError(-32015, message);
}

export function minContextSlotNotReached(contextSlot: number): RpcError {
  return new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot });
}

export function longTermStorageUnreachable(): RpcError {
  return new RpcError(-32019, 'Failed to query long-term storage; please try again');
}

/** The refusal with a code, about a slot if the code refers to one. Null for an unknown code. */
export function errorOfCode(code: number, slot: number, behindSlots: number): RpcError | null {
  const makers: Readonly<Record<number, () => RpcError>> = {
    [-32001]: () => blockCleanedUp(slot, slot + 1),
    [-32004]: () => blockNotAvailable(slot),
    [-32005]: () => nodeBehind(behindSlots),
    [-32007]: () => slotSkipped(slot),
    [-32009]: () => missingInLongTermStorage(slot),
    [-32011]: historyNotAvailable,
    [-32014]: () => statusNotYetAvailable(slot),
    [-32015]: () => unsupportedVersion(1),
    [-32016]: () => minContextSlotNotReached(Math.max(0, slot - 1)),
    [-32019]: longTermStorageUnreachable,
    [-32600]: invalidRequest,
    [-32601]: methodNotFound,
    [-32602]: () => invalidParams('Invalid params'),
    [-32603]: internalError,
    [-32700]: parseError,
  };
  return makers[code]?.() ?? null;
}
