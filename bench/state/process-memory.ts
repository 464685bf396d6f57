import { readFileSync } from 'node:fs';

const KIB_PER_MIB = 1_024;

/** Memory of this process as the kernel counts it, in MiB. */
export interface ProcessMemory {
  /** All of its pages in memory. */
  readonly residentMiB: number;
  /** Without pages of files, which the kernel can drop. */
  readonly anonymousMiB: number;
}

export function readProcessMemory(): ProcessMemory {
  const status = readFileSync('/proc/self/status', 'latin1');
  return { residentMiB: fieldOf(status, 'VmRSS'), anonymousMiB: fieldOf(status, 'RssAnon') };
}

function fieldOf(status: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status);
  if (found === null) throw new Error(`/proc/self/status has no ${name}`);
  return Number(found[1]) / KIB_PER_MIB;
}
