import type { Message } from './parse-message.ts';
import { RPC, RpcError } from './rpc-error.ts';

/** Headers by lower-case name. */
export type MirroredHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Methods whose `Mcp-Name` repeats a parameter. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/**
 * Headers repeat revision, method and name of a request, so that proxies can route by them. A
 * request that says one thing to a proxy and another to the service is refused: throws RpcError.
 */
export function checkMirroredHeaders(
  { id, method, params }: Message,
  revision: string,
  headers: MirroredHeaders,
): void {
  assertSame('MCP-Protocol-Version', headers['mcp-protocol-version'], revision);
  // Headers of notifications are not defined.
  if (id === null) return;
  assertSame('Mcp-Method', headers['mcp-method'], method);
  const parameter = NAMED_BY.get(method);
  if (parameter === undefined) return;
  const name = params[parameter];
  // What is no name is refused by the method itself.
  if (typeof name === 'string') assertSame('Mcp-Name', decoded(headers['mcp-name']), name);
}

function assertSame(header: string, given: string | string[] | undefined, expected: string): void {
  if (given === expected) return;
  const fault = given === undefined ? 'is missing' : 'does not match the body';
  throw new RpcError(RPC.headerMismatch, `The header ${header} ${fault}.`, { status: 400 });
}

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** Names that a header cannot contain are sent as Base64 of their UTF-8 bytes. */
function decoded(given: string | string[] | undefined): string | string[] | undefined {
  const encoded = typeof given === 'string' ? ENCODED.exec(given)?.[1] : undefined;
  return encoded === undefined ? given : Buffer.from(encoded, 'base64').toString();
}
