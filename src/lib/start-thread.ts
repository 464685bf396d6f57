import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a worker thread whose young objects have two halves of `semiSpaceMb` megabytes each, from its
 * first moment on. V8 takes this from flags of the process, and the start script asks for 64 MB, which
 * pay for the fold and for decoding alone; every other thread would hold 128 MB of them for nothing.
 * The heap's limits that Node knows cannot lower it.
 *
 * The flags are read as the thread comes up. One that is started in the same millisecond may get this
 * thread's room, which costs memory or time and nothing else.
 */
export function startThread(url: URL, semiSpaceMb: number, options: WorkerOptions): Worker {
  setFlagsFromString(`--min-semi-space-size=${semiSpaceMb}`);
  setFlagsFromString(`--max-semi-space-size=${semiSpaceMb}`);
  return new Worker(url, options);
}
