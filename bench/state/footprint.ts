/** What a state takes after so many wallets have traded. */
export interface Footprint {
  readonly wallets: number;
  /** Its pages and objects in memory; null if some of them are only on disk. */
  readonly memoryBytes: number | null;
  /** The newest content of all records and their index. */
  readonly diskBytes: number;
  /** All files: earlier checkpoints, and what is replaced but not freed yet. */
  readonly fileBytes: number;
}

/** Bytes for each wallet that was added between two sizes: what is fixed does not count. */
export interface BytesPerWallet {
  /** Null if it was not all in memory. */
  readonly memory: number | null;
  readonly disk: number;
  readonly files: number;
}

/** Null if no wallet was added. */
export function bytesPerWallet(first: Footprint, last: Footprint): BytesPerWallet | null {
  const wallets = last.wallets - first.wallets;
  if (wallets <= 0) return null;
  const isInMemory = first.memoryBytes !== null && last.memoryBytes !== null;
  return {
    memory: isInMemory ? (Number(last.memoryBytes) - Number(first.memoryBytes)) / wallets : null,
    disk: (last.diskBytes - first.diskBytes) / wallets,
    files: (last.fileBytes - first.fileBytes) / wallets,
  };
}
