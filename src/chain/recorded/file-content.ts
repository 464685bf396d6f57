import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { SourceProblemCode } from '../../model/errors.ts';
import { isSystemError, systemMessage } from './input-files.ts';

/** A file that cannot be read to its end. */
export class ContentFault extends Error {
  override readonly name = 'ContentFault';
  readonly code: SourceProblemCode;
  readonly position: string | null;

  constructor(code: SourceProblemCode, position: string | null, message: string) {
    super(message);
    this.code = code;
    this.position = position;
  }
}

/** Bounds on what is read. */
export interface ContentBounds {
  /** A compressed file that decompresses to more than this is refused. */
  readonly decompressedBytesMax: number;
  /**
   * A longer document, which is a line or a whole file, is refused: parsed it takes ten times the
   * memory.
   */
  readonly documentBytesMax: number;
}

export const CONTENT_BOUNDS: ContentBounds = {
  decompressedBytesMax: 2 ** 30,
  documentBytesMax: 2 ** 28,
};

/** The whole content of a file, decompressed. Throws ContentFault. */
export async function readBytes(path: string, bounds: ContentBounds): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of readChunks(path, bounds.decompressedBytesMax)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > bounds.documentBytesMax) {
      const message = `the document is longer than ${bounds.documentBytesMax} bytes; use one record a line`;
      throw new ContentFault('unreadable', `byte ${bounds.documentBytesMax}`, message);
    }
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length);
}

/** Text without a byte order mark. */
export function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = 0xfeff;

/**
 * The decompressed content of a file in chunks. Its first bytes determine the compression,
 * independent of its name. Throws ContentFault, also when a compressed file exceeds the bound.
 */
export async function* readChunks(
  path: string,
  decompressedBytesMax: number,
): AsyncGenerator<Buffer> {
  try {
    const { compression, sizeBytes } = await inspect(path);
    if (compression === null) yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
    else yield* decompress(path, compression, sizeBytes, decompressedBytesMax);
  } catch (error) {
    if (isSystemError(error)) throw new ContentFault('unreadable', null, systemMessage(error));
    throw error;
  }
}

const CHUNK_BYTES = 1 << 20;
type Compression = 'gzip' | 'zstd';

/** True when the content cannot be read from an offset without reading everything before it. */
export async function isCompressed(path: string): Promise<boolean> {
  return (await inspect(path)).compression !== null;
}

async function inspect(
  path: string,
): Promise<{ compression: Compression | null; sizeBytes: number }> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const magic = bytesRead === 4 ? buffer.readUInt32LE(0) : 0;
    const { size } = await file.stat();
    if (magic === ZSTD_MAGIC) return { compression: 'zstd', sizeBytes: size };
    const isGzip = (magic & 0xffff) === GZIP_MAGIC;
    return { compression: isGzip ? 'gzip' : null, sizeBytes: size };
  } finally {
    await file.close();
  }
}

const GZIP_MAGIC = 0x8b1f;
const ZSTD_MAGIC = 0xfd2fb528;

/**
 * Concatenated archives are read as one: the zstd decoder stops after each frame and is restarted.
 */
async function* decompress(
  path: string,
  compression: Compression,
  sizeBytes: number,
  decompressedBytesMax: number,
): AsyncGenerator<Buffer> {
  let consumed = 0;
  let produced = 0;
  while (consumed < sizeBytes) {
    const raw = createReadStream(path, { start: consumed, highWaterMark: CHUNK_BYTES });
    const archive = compression === 'gzip' ? createGunzip(OPTIONS) : createZstdDecompress(OPTIONS);
    raw.on('error', (error) => archive.destroy(error));
    try {
      for await (const chunk of raw.pipe(archive) as AsyncIterable<Buffer>) {
        produced += chunk.length;
        if (produced > decompressedBytesMax) {
          const message = `more than ${decompressedBytesMax} bytes when decompressed`;
          throw new ContentFault('corrupt-archive', null, message);
        }
        yield chunk;
      }
    } catch (error) {
      if (!(error instanceof Error) || error instanceof ContentFault || isSystemError(error)) {
        throw error;
      }
      const position = `compressed byte ${consumed + archive.bytesWritten} of ${sizeBytes}`;
      throw new ContentFault('corrupt-archive', position, error.message);
    } finally {
      raw.destroy();
      archive.destroy();
    }
    consumed += archive.bytesWritten;
  }
}

const OPTIONS = { chunkSize: 1 << 18 };
