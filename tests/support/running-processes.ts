import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

/** Counts a process among those that run, until it has ended. */
export function countProcess(process: ChildProcess): void {
  running.add(process);
  process.once('exit', () => running.delete(process));
  // It was never started.
  process.once('error', () => running.delete(process));
}

/** The counted processes that have not ended. */
export function runningProcesses(): ReadonlySet<ChildProcess> {
  return new Set(running);
}
