/**
 * One task to time. `run` returns how many units it processed, so that no work is optimised away.
 */
export interface Task {
  readonly name: string;
  readonly run: () => number;
}

export interface Timing {
  readonly name: string;
  readonly medianMs: number;
  readonly bestMs: number;
  readonly unitsPerSecond: number;
}

/**
 * Times tasks in interleaved rounds: every round runs every task once in rotated order, so that
 * changes of the machine's speed affect all of them alike and ratios stay fair.
 */
export function timeInRounds(tasks: readonly Task[], rounds: number, warmups = 12): Timing[] {
  const samples = new Map<string, number[]>(tasks.map((task) => [task.name, []]));
  const units = new Map<string, number>();
  for (let warmup = 0; warmup < warmups; warmup++) for (const task of tasks) task.run();
  for (let round = 0; round < rounds; round++) {
    for (let step = 0; step < tasks.length; step++) {
      const task = tasks[(step + round) % tasks.length] as Task;
      const start = performance.now();
      units.set(task.name, task.run());
      samples.get(task.name)?.push(performance.now() - start);
    }
  }
  return tasks.map(({ name }) => toTiming(name, samples.get(name) ?? [], units.get(name) ?? 0));
}

function toTiming(name: string, samples: readonly number[], units: number): Timing {
  const sorted = [...samples].sort((one, other) => one - other);
  const medianMs = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
  return {
    name,
    medianMs,
    bestMs: sorted[0] ?? Number.NaN,
    unitsPerSecond: (units / medianMs) * 1_000,
  };
}
