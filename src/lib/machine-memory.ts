import { totalmem } from 'node:os';

/** Bytes of memory for this process: the container's limit, if there is one below the machine's. */
export function machineMemoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
