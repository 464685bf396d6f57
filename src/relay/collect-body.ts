/** The beginning of a body, or all of it. */
export interface Collected {
  readonly chunks: readonly Buffer[];
  /** The rest; null if the chunks are all. */
  readonly rest: AsyncIterator<Buffer> | null;
}

/** Reads a body until it ends or has more than `bytesMax`. Rejects when reading fails. */
export async function collectBody(
  body: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<Collected> {
  const rest = body[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  for (let bytes = 0; bytes <= bytesMax; ) {
    const next = await rest.next();
    if (next.done === true) return { chunks, rest: null };
    chunks.push(next.value);
    bytes += next.value.length;
  }
  return { chunks, rest };
}
