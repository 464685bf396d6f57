/** Copies the chunks of a writer that reuses its buffer. */
export function copiedChunks(chunks: Iterable<Uint8Array>): Buffer[] {
  return Array.from(chunks, (chunk) => Buffer.from(chunk));
}
