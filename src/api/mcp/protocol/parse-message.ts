import { isObject } from '../../requests/request-schema.ts';
import { type RequestId, RPC, RpcError } from './rpc-error.ts';

export type Params = Readonly<Record<string, unknown>>;

export interface Message {
  /** Null for a notification, which gets no response. */
  readonly id: RequestId | null;
  readonly method: string;
  readonly params: Params;
}

const ID_LENGTH_MAX = 256;

/** Parses one message. Throws RpcError for text that is no JSON, or no request or notification. */
export function parseMessage(text: string): Message {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new RpcError(RPC.parseError, 'The message is not valid JSON.', { status: 400 });
  }
  if (Array.isArray(given)) throw invalid('Batches are not supported: send one message at a time.');
  if (!isObject(given)) throw invalid('A message is a JSON object.');
  const { jsonrpc, id = null, method, params = {} } = given;
  if (jsonrpc !== '2.0') throw invalid('The field jsonrpc must be "2.0".');
  if (typeof method !== 'string') {
    throw invalid('The field method is missing: only requests and notifications are accepted.');
  }
  if (!isObject(params)) throw invalid('The field params must be an object.');
  if ('id' in given && !isRequestId(id)) {
    throw invalid(
      `The field id must be an integer or a string of at most ${ID_LENGTH_MAX} characters.`,
    );
  }
  return { id: id as RequestId | null, method, params };
}

/**
 * The id of a message that is refused; undefined if it has none. A response must have it wherever it
 * can be read.
 */
export function idIn(text: string): RequestId | undefined {
  try {
    const given: unknown = JSON.parse(text);
    return isObject(given) && isRequestId(given.id) ? given.id : undefined;
  } catch {
    return undefined;
  }
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' ? id.length <= ID_LENGTH_MAX : Number.isSafeInteger(id);
}

function invalid(message: string): RpcError {
  return new RpcError(RPC.invalidRequest, message, { status: 400 });
}
