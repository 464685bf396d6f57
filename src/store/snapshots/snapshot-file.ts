import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * A file of frames: length, hash, bytes. Each hash covers the one before it, so that no frame can
 * be left out, moved or changed; the last frame is empty and marked, so that the end cannot be cut
 * off. A reader receives only checked bytes.
 *
 * Layout: MAGIC; per frame the length as 4 bytes, lowest first, with the highest bit set in the
 * last frame; SHA-256 over the hash before (zeros at first), those 4 bytes and the content; the
 * content.
 */
const MAGIC = Buffer.from('MINTSNP1');
const LENGTH_BYTES = 4;
const HASH_BYTES = 32;
const LAST_FRAME = 0x80000000;
const NO_HASH = Buffer.alloc(HASH_BYTES);
/** Larger than most frames. */
const BUFFER_BYTES = 512 * 1_024;

/** The file has another format, is truncated, was changed or cannot be read. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/**
 * Writes frames and makes them durable. Each frame is requested after the one before it was written
 * asynchronously, so that other work runs in between. Returns the last hash as hex, which
 * identifies the content of the file.
 */
export async function writeFrames(path: string, frames: Iterable<Uint8Array>): Promise<string> {
  const file = await open(path, 'w', 0o600);
  try {
    let hash: Buffer = NO_HASH;
    await file.writeFile(MAGIC);
    for (const content of frames) {
      if (content.length === 0) continue;
      const head = frameHead(hash, content.length, content);
      await file.writev([head, content]);
      hash = hashOf(head);
    }
    const head = frameHead(hash, LAST_FRAME, NO_HASH.subarray(0, 0));
    await file.writev([head]);
    await file.sync();
    return hashOf(head).toString('hex');
  } finally {
    await file.close();
  }
}

/**
 * Yields the content of each frame. The frames share one buffer: a frame is invalid once the next
 * one is requested. Throws DamagedFileError when the file ends early, continues after its end, or
 * differs from what was written; `digest` is the result of `writeFrames`.
 */
export function* readFrames(path: string, digest: string): Generator<Buffer> {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const reader = new FrameReader(file, fstatSync(file).size);
    reader.magic();
    for (;;) {
      const content = reader.frame();
      if (content === null) break;
      yield content;
    }
    reader.assertEnd(digest);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new DamagedFileError(`it cannot be read (${error.message})`, { cause: error });
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Whether an error comes from the operating system. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

class FrameReader {
  private readonly file: number;
  private bytesLeft: number;
  private hash: Buffer = NO_HASH;
  // Reused: a new buffer per frame makes the garbage collector mark the whole state repeatedly.
  private buffer = Buffer.allocUnsafe(0);

  constructor(file: number, size: number) {
    this.file = file;
    this.bytesLeft = size;
  }

  magic(): void {
    if (!this.take(MAGIC.length).equals(MAGIC)) {
      throw new DamagedFileError('it does not have the header of a snapshot');
    }
  }

  /** The next frame; null for the last, empty one. */
  frame(): Buffer | null {
    const head = Buffer.from(this.take(LENGTH_BYTES + HASH_BYTES));
    const length = head.readUInt32LE();
    const isLast = length >= LAST_FRAME;
    const content = this.take(isLast ? length - LAST_FRAME : length);
    if (!frameHead(this.hash, length, content).equals(head)) {
      throw new DamagedFileError('a part of it differs from what was written');
    }
    this.hash = hashOf(head);
    return isLast ? null : content;
  }

  assertEnd(digest: string): void {
    if (this.bytesLeft > 0) throw new DamagedFileError('something follows its end');
    if (this.hash.toString('hex') !== digest) {
      throw new DamagedFileError('its name is that of another one');
    }
  }

  private take(length: number): Buffer {
    if (length > this.bytesLeft) throw new DamagedFileError('it is cut off');
    if (length > this.buffer.length) {
      this.buffer = Buffer.allocUnsafe(Math.max(length, BUFFER_BYTES));
    }
    const bytes = this.buffer.subarray(0, length);
    let size = 0;
    while (size < length) {
      const read = readSync(this.file, bytes, size, length - size, null);
      if (read === 0) throw new DamagedFileError('it is cut off');
      size += read;
    }
    this.bytesLeft -= length;
    return bytes;
  }
}

function frameHead(before: Buffer, length: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(LENGTH_BYTES + HASH_BYTES);
  head.writeUInt32LE(length);
  const lengthBytes = head.subarray(0, LENGTH_BYTES);
  createHash('sha256')
    .update(before)
    .update(lengthBytes)
    .update(content)
    .digest()
    .copy(head, LENGTH_BYTES);
  return head;
}

function hashOf(head: Buffer): Buffer {
  return head.subarray(LENGTH_BYTES);
}
