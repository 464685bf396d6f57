/** Chunks to keep, of a writer that uses the memory of each for the next one. */
export function copiedChunks(chunks: Iterable<Uint8Array>): Buffer[] {
  return Array.from(chunks, (chunk) => Buffer.from(chunk));
}
