import { readdirSync, readFileSync } from 'node:fs';

/** Resources of a process and those it started. */
export interface ProcessFamily {
  /** Processor seconds of all of them, including ended ones. */
  readonly cpuSeconds: number;
  /** Resident memory in bytes of the others only. */
  readonly othersRssBytes: number;
}

/** The clock of /proc on Linux, independent of the kernel's own. */
const TICKS_PER_SECOND = 100;

/** From /proc; null when there is no /proc or no such process. */
export function processFamily(pid: number): ProcessFamily | null {
  const own = statOf(pid);
  if (own === null) return null;
  let [ticks, othersRssBytes] = [own.ticks, 0];
  for (const name of readdirSync('/proc')) {
    const other = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    if (other?.parentPid !== pid) continue;
    ticks += other.ticks;
    othersRssBytes += rssBytesOf(Number(name));
  }
  return { cpuSeconds: ticks / TICKS_PER_SECOND, othersRssBytes };
}

/** See proc(5): after the name in brackets come state, parent, and as 12th to 15th the times. */
function statOf(pid: number): { readonly parentPid: number; readonly ticks: number } | null {
  const text = readProc(`/proc/${pid}/stat`);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parentPid: Number(fields[1]), ticks };
}

function rssBytesOf(pid: number): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1] ?? 0;
  return Number(kib) * 1_024;
}

/** Processes can end while they are read. */
function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
