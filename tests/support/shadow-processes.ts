import { readdirSync, readFileSync } from 'node:fs';

/** Whether the system lists processes under /proc, as this module reads them. */
export const namesProcesses = process.platform === 'linux';

/** Ids of the running shadow-fold processes that a process has started. */
export function shadowProcesses(parent: number = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statusOf(pid)?.parent === parent)
    .filter((pid) => procFile(pid, 'cmdline').includes('shadow-'))
    .filter(isRunning);
}

/** False also for an ended process that its parent has not collected yet (a zombie). */
export function isRunning(pid: number): boolean {
  const state = statusOf(pid)?.state ?? 'X';
  return state !== 'Z' && state !== 'X';
}

/** A file of a process below /proc, empty when it is gone. */
export function procFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return '';
    throw error;
  }
}

function statusOf(pid: number): { readonly state: string; readonly parent: number } | null {
  const [, state, parent] = /^\d+ \(.*\) (\w) (\d+)/s.exec(procFile(pid, 'stat')) ?? [];
  return state === undefined ? null : { state, parent: Number(parent) };
}
