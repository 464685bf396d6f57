import { checkRevision, type Era } from './protocol/check-revision.ts';
import { type MethodContext, runMethod, serverInfo } from './protocol/methods.ts';
import type { MirroredHeaders } from './protocol/mirrored-headers.ts';
import { idIn, parseMessage } from './protocol/parse-message.ts';
import { META } from './protocol/revisions.ts';
import { type RequestId, RPC, RpcError } from './protocol/rpc-error.ts';

/** The answer to one message. */
export interface MessageAnswer {
  /** HTTP status. */
  readonly status: number;
  /** The JSON-RPC response; null for a notification. */
  readonly text: string | null;
  /** A fault of the service, to be logged; null for anything expected. */
  readonly fault: unknown;
}

/**
 * Answers one message of the Model Context Protocol. Nothing is remembered between messages.
 * `headers` is null where messages have none (standard input).
 */
export async function answerMessage(
  text: string,
  headers: MirroredHeaders | null,
  context: MethodContext,
): Promise<MessageAnswer> {
  try {
    const message = parseMessage(text);
    const era = checkRevision(message, headers);
    if (message.id === null) return { status: 202, text: null, fault: null };
    const result = await runMethod(message, era, context);
    const framed = withServer(result, era, context.version);
    return responseOf(200, { id: message.id, result: framed });
  } catch (error) {
    if (error instanceof RpcError) return refusalOf(error, idIn(text));
    const internal = new RpcError(RPC.internalError, 'Internal server error.', { status: 500 });
    return { ...refusalOf(internal, idIn(text)), fault: error };
  }
}

/** In the current revision each result names the server. */
function withServer(result: object, era: Era, version: string): object {
  return era === 'earlier'
    ? result
    : { ...result, _meta: { [META.serverInfo]: serverInfo(version) } };
}

function refusalOf(
  { status, code, message, data }: RpcError,
  id: RequestId | undefined,
): MessageAnswer {
  return responseOf(status, { id, error: { code, message, data } });
}

/** Fields that are undefined are left out. */
function responseOf(status: number, response: object): MessageAnswer {
  return { status, text: JSON.stringify({ jsonrpc: '2.0', ...response }), fault: null };
}
