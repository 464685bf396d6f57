/**
 * Smaller buffers are cheap to account for, and a shared buffer costs much to create. Table pages
 * are larger.
 */
const SHARED_MIN = 4_096;

/**
 * Returns zeroed memory for a page of a table. Pages are SharedArrayBuffers although they are not
 * shared: other buffers count against the heap of their thread, and V8 marks the whole heap again
 * for each 64 MB or so of them. Reading a state with 1.2 GB of pages cost eighteen such rounds, two
 * thirds of its time. Pages are garbage-collected like other memory.
 */
export function newPage(sizeBytes: number): Uint8Array {
  if (sizeBytes < SHARED_MIN) return new Uint8Array(sizeBytes);
  return new Uint8Array(new SharedArrayBuffer(sizeBytes));
}
