/**
 * Below this, memory is cheap to count, and a shared buffer dear to make. Pages of tables are larger.
 */
const SHARED_MIN = 4_096;

/**
 * Zeros, for a page of a book. Such pages are shared buffers, though nobody shares them: what other
 * buffers take is counted against the heap of their thread, and V8 marks the whole heap again for each
 * 64 MB or so of them. Reading a state with 1.2 GB of pages cost eighteen such rounds, two thirds of
 * its time. They are given back when nothing refers to them, as all others are.
 */
export function newPage(sizeBytes: number): Uint8Array {
  if (sizeBytes < SHARED_MIN) return new Uint8Array(sizeBytes);
  return new Uint8Array(new SharedArrayBuffer(sizeBytes));
}
