import { readdirSync, readFileSync } from 'node:fs';

/** Whether the system tells of other processes the way it is asked here. */
export const namesProcesses = process.platform === 'linux';

/** Numbers of the processes of shadow folds that a process has started and that have not ended. */
export function shadowProcesses(parent: number = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statusOf(pid)?.parent === parent && told(pid, 'cmdline').includes('shadow-'))
    .filter(isRunning);
}

/** Not of one that has ended and that nobody has asked about yet. */
export function isRunning(pid: number): boolean {
  const state = statusOf(pid)?.state ?? 'X';
  return state !== 'Z' && state !== 'X';
}

/** A file of a process below /proc, empty when it is gone. */
export function told(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return '';
    throw error;
  }
}

function statusOf(pid: number): { readonly state: string; readonly parent: number } | null {
  const [, state, parent] = /^\d+ \(.*\) (\w) (\d+)/s.exec(told(pid, 'stat')) ?? [];
  return state === undefined ? null : { state, parent: Number(parent) };
}
