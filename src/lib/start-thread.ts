import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { compiledModules } from './compiled-modules.ts';

/** The environment is given explicitly, so that none is inherited by omission. */
type ThreadOptions = Omit<WorkerOptions, 'env'> & {
  readonly env: Readonly<Record<string, string>>;
};

/**
 * Starts a worker thread whose young generation has two semi-spaces of `semiSpaceMb` megabytes each
 * from the start. V8 takes this size from flags of the process, and the start script sets 64 MB,
 * which benefits only the fold and decoding; every other thread would waste 128 MB. Node's
 * `resourceLimits` cannot lower it.
 *
 * The flags are read while the thread starts. A thread started in the same millisecond may get this
 * thread's size, which costs memory or time but is otherwise harmless.
 *
 * The thread's environment is the given one and the place of compiled modules.
 */
export function startThread(url: URL, semiSpaceMb: number, options: ThreadOptions): Worker {
  setFlagsFromString(`--min-semi-space-size=${semiSpaceMb}`);
  setFlagsFromString(`--max-semi-space-size=${semiSpaceMb}`);
  return new Worker(url, { ...options, env: { ...compiledModules(), ...options.env } });
}
