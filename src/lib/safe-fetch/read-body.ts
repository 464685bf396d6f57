import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Refusal, refused } from './refusal.ts';

/** Extra bytes an encoded body may take on the wire: the size of gzip's headers is not limited. */
const WIRE_SURPLUS_BYTES = 65_536;

/** An encoded body that consumes input without producing output. */
export class EndlessCoding extends Error {
  override readonly name = 'EndlessCoding';
}

export interface ReadBody {
  readonly kind: 'body';
  readonly bytes: Uint8Array;
}

/**
 * Reads a body up to a maximum size. The size is checked during decompression, so a decompression
 * bomb is cut off at the limit. Errors of the stream are thrown.
 */
export async function readBody(
  body: Readable,
  coding: string,
  sizeMaxBytes: number,
): Promise<ReadBody | Refusal> {
  const names = coding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const codings = names.filter((name) => name !== '' && name !== 'identity');
  if (codings.length > 1 || (codings[0] ?? 'gzip').replace(/^x-/, '') !== 'gzip') {
    return refused('content-coding', coding);
  }
  const isCoded = codings.length === 1;
  return await gathered(isCoded ? unzipped(body, sizeMaxBytes) : body, sizeMaxBytes);
}

async function gathered(
  stream: AsyncIterable<Buffer>,
  sizeMaxBytes: number,
): Promise<ReadBody | Refusal> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.length;
    if (sizeBytes > sizeMaxBytes) return refused('body-too-large', `over ${sizeMaxBytes} bytes`);
    chunks.push(chunk);
  }
  return { kind: 'body', bytes: new Uint8Array(Buffer.concat(chunks)) };
}

async function* unzipped(body: Readable, sizeMaxBytes: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let wireBytes = 0;
  body.on('data', (chunk: Buffer) => {
    wireBytes += chunk.length;
    if (wireBytes > sizeMaxBytes + WIRE_SURPLUS_BYTES) body.destroy(new EndlessCoding());
  });
  body.on('error', (error) => gunzip.destroy(error));
  body.pipe(gunzip);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } finally {
    gunzip.destroy();
  }
}
