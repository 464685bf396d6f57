import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { FileContent } from '../../lib/hash-file.ts';
import { BlobTooLarge } from './blob-store.ts';

const OWNER_ONLY = 0o600;

/**
 * Writes the portions of a blob into a new file, durably. If one fails, or they are more than
 * `bytesMax`, the file is removed.
 */
export async function writeBlob(
  path: string,
  portions: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<FileContent> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', OWNER_ONLY);
  let bytes = 0;
  try {
    for await (const portion of portions) {
      bytes += portion.length;
      if (bytes > bytesMax) throw new BlobTooLarge(`A blob has more than ${bytesMax} bytes.`);
      hash.update(portion);
      await file.writeFile(portion);
    }
    await file.sync();
    await file.close();
    return { bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}
