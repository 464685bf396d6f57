import { toJson } from './json-text.ts';
import { invalidRequest, parseError, type RpcError } from './rpc-error.ts';

export type CallId = string | number | null;

/** One call of a request body. A notification expects no answer. */
export interface RpcCall {
  /** Undefined for a notification. */
  readonly id: CallId | undefined;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A call that cannot be parsed, with its answer. */
export interface RefusedCall {
  readonly id: CallId;
  readonly refusal: RpcError;
}

export type RpcBody =
  | { readonly kind: 'single'; readonly call: RpcCall | RefusedCall }
  | { readonly kind: 'batch'; readonly calls: readonly (RpcCall | RefusedCall)[] };

/** Parses the text of a request. Errors are part of the returned value. */
export function parseRpcBody(text: string): RpcBody {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: 'single', call: { id: null, refusal: parseError() } };
  }
  if (isDeeperThan(body, DEPTH_MAX)) {
    return { kind: 'single', call: { id: null, refusal: parseError() } };
  }
  if (!Array.isArray(body)) return { kind: 'single', call: readCall(body) };
  if (body.length > 0) return { kind: 'batch', calls: body.map(readCall) };
  return { kind: 'single', call: { id: null, refusal: invalidRequest() } };
}

/** The depth limit of serde_json, which real nodes use. */
const DEPTH_MAX = 127;

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeperThan(part, depth - 1));
}

function readCall(value: unknown): RpcCall | RefusedCall {
  if (typeof value !== 'object' || value === null) return { id: null, refusal: invalidRequest() };
  const { jsonrpc, id, method, params } = value as Record<string, unknown>;
  const knownId = isId(id) ? id : undefined;
  const refused = { id: knownId ?? null, refusal: invalidRequest() };
  if (jsonrpc !== '2.0' || typeof method !== 'string') return refused;
  if (id !== undefined && knownId === undefined) return refused;
  if (params !== undefined && params !== null && !Array.isArray(params)) {
    return { ...refused, refusal: invalidRequest('Invalid params: `params` should be an array') };
  }
  return { id: knownId, method, params: params ?? [] };
}

function isId(value: unknown): value is CallId {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

/** The answer's text, around a result that is already JSON text. */
export function resultText(id: CallId, resultJson: string): string {
  return `{"jsonrpc":"2.0","result":${resultJson},"id":${JSON.stringify(id)}}`;
}

export function errorText(id: CallId, { code, message, data }: RpcError): string {
  const error = data === undefined ? { code, message } : { code, message, data };
  return `{"jsonrpc":"2.0","error":${toJson(error)},"id":${JSON.stringify(id)}}`;
}

export function notificationText(method: string, subscription: number, resultJson: string): string {
  return `{"jsonrpc":"2.0","method":"${method}","params":{"result":${resultJson},"subscription":${subscription}}}`;
}
