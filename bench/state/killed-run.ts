import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from './reporting-process.ts';
import type {
  Killing,
  RestartOrder,
  RestartReport,
  RunMeasures,
  RunOrder,
  RunReport,
} from './run-order.ts';

/** What a start after a kill took, from the start of the process on. */
export interface Restart {
  /** Until a row was answered from the newest checkpoint. */
  readonly restartMs: number;
  /** Processor time of the process until then, and of applying. */
  readonly restartProcessorMs: number;
  readonly appliedProcessorMs: number;
  /** Until what came after the checkpoint was applied; making it is not counted. */
  readonly toEndMs: number;
  readonly slots: number;
  readonly digest: string;
}

/**
 * Runs an order in a process of its own, which is killed when a checkpoint is nearly complete after
 * it has reported what it measured.
 */
export async function runUntilKilled(
  order: RunOrder,
  onMeasured: (measures: RunMeasures) => void,
): Promise<Killing> {
  let killedAt: Killing | null = null;
  const path = join(import.meta.dirname, 'run-process.ts');
  const { code, signal } = await runScript<RunReport>(path, order, (report) => {
    if (report.kind === 'measured') onMeasured(report.measures);
    else killedAt = report.at;
  });
  if (signal !== 'SIGKILL' || killedAt === null) {
    throw new Error(`the process of the run ended with ${code ?? signal}`);
  }
  return killedAt;
}

/** Opens the folder of a killed run in a new process, which goes on to where that was killed. */
export async function restartAfter(order: RestartOrder): Promise<Restart> {
  const startedMs = performance.now();
  let restartMs: number | null = null;
  let restartProcessorMs = 0;
  let end: (RestartReport & { readonly kind: 'caughtUp' }) | null = null;
  const path = join(import.meta.dirname, 'restart-process.ts');
  const { code, signal } = await runScript<RestartReport>(path, order, (report) => {
    if (report.kind === 'caughtUp') end = report;
    else if (!report.isFound) throw new Error('the pool is not in the newest checkpoint');
    else {
      restartMs = performance.now() - startedMs;
      restartProcessorMs = report.processorMs;
    }
  });
  if (code !== 0 || restartMs === null || end === null) {
    throw new Error(`the process of the restart ended with ${code ?? signal}`);
  }
  const { applied, slots, digest } = end as RestartReport & { readonly kind: 'caughtUp' };
  return {
    ...{ restartMs, restartProcessorMs, slots, digest },
    toEndMs: restartMs + applied.ms,
    appliedProcessorMs: applied.processorMs,
  };
}

/** Bytes of all files in a folder. */
export function folderBytes(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  let bytes = 0;
  for (const name of names) {
    const status = statSync(join(folder, name));
    if (status.isFile()) bytes += status.size;
  }
  return bytes;
}
