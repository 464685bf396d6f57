import type { IncomingMessage } from 'node:http';

/**
 * The body of a request; null if it has none. `too-large` as soon as it is known to be longer than
 * `bytesMax`: nothing more is read. Rejects if the client goes away.
 */
export async function readBody(
  request: IncomingMessage,
  bytesMax: number,
): Promise<Buffer | null | 'too-large'> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return null;
  if (Number(length ?? 0) > bytesMax) return 'too-large';
  const chunks: Buffer[] = [];
  let bytes = 0;
  // An iterator would destroy the connection, on which the refusal is sent, when it is left.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > bytesMax) return 'too-large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
