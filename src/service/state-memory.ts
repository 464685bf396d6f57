import { machineMemoryBytes } from '../lib/machine-memory.ts';
import { PAGE_BYTES } from '../lib/pages/page-layout.ts';

/** Share of the machine's memory for the state unless one is set: the store needs as much again. */
const MACHINE_SHARE = 1 / 3;
/** Most of the state is pages; what is left is for objects. */
const PAGES_SHARE = 0.75;

/** Limits of a state in memory, as PagePool takes them. */
export interface StateMemory {
  readonly pagesMax: number;
  readonly objectBytesMax: number;
}

/** Memory of the state in bytes: what is set, or a share of the machine's memory. */
export function stateMemoryBytesOf(
  setBytes: number | null,
  machineBytes = machineMemoryBytes(),
): number {
  return setBytes ?? Math.floor(machineBytes * MACHINE_SHARE);
}

/** Limits of a state that may take so many bytes of memory. */
export function stateMemoryOf(bytes: number): StateMemory {
  const pagesMax = Math.floor((bytes * PAGES_SHARE) / PAGE_BYTES);
  return { pagesMax, objectBytesMax: bytes - pagesMax * PAGE_BYTES };
}
