/** Time that passed, by the clock and of this thread's processor. */
export interface ThreadTime {
  readonly ms: number;
  /** Processor time: nearly free of what else runs. */
  readonly processorMs: number;
}

/** Readings of both clocks, of which only differences mean anything. */
export function readThreadTime(): ThreadTime {
  const { user, system } = process.threadCpuUsage();
  return { ms: performance.now(), processorMs: (user + system) / 1_000 };
}

export function timeBetween(start: ThreadTime, end: ThreadTime): ThreadTime {
  return { ms: end.ms - start.ms, processorMs: end.processorMs - start.processorMs };
}
