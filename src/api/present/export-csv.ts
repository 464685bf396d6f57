import { createHash } from 'node:crypto';
import { type ExportFile, ExportRows } from './export-file.ts';

/**
 * A CSV file: names of the columns, rows, and the manifest as a comment. Holds one portion at a time,
 * and reads the next one once the client has taken the last. A read that fails ends the file without a
 * manifest, so that the client notices.
 */
export async function* csvChunks(file: ExportFile): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  const written = (bytes: Uint8Array) => {
    digest.update(bytes);
    return bytes;
  };
  yield written(Buffer.from(`${file.columns.join(',')}\n`));
  const rows = new ExportRows(file);
  for await (const lines of rows.portions()) yield written(lines);
  yield Buffer.from(`# ${rows.manifest(digest.digest('hex'))}\n`);
}
