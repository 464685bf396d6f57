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

/** Limits for a state that may take so many bytes of memory; null for a share of the machine's. */
export function stateMemoryOf(
  stateMemoryBytes: number | null,
  machineBytes = machineMemoryBytes(),
): StateMemory {
  const bytes = stateMemoryBytes ?? Math.floor(machineBytes * MACHINE_SHARE);
  const pagesMax = Math.floor((bytes * PAGES_SHARE) / PAGE_BYTES);
  return { pagesMax, objectBytesMax: bytes - pagesMax * PAGE_BYTES };
}
