/**
 * Replaces a thread of the service: reports the environment it sees, in a message of that thread,
 * which its settings or the first message tell.
 */
import { parentPort, workerData } from 'node:worker_threads';

const seen = Object.keys(process.env);
const report = `sees ${seen.length} variables`;
const settings = (workerData ?? {}) as object;

if ('requestsPerSecond' in settings) {
  // The gathering thread: figures.
  const counters = [{ name: 'environment', samples: [[{}, seen.length]] }];
  parentPort?.postMessage({ kind: 'counts', counts: { counters, gauges: [] } });
}
parentPort?.on('message', (message: { readonly kind?: string; readonly id?: number }) => {
  if (message.kind === 'close') process.exit(0);
  if (message.kind === 'open') {
    // The API's thread: an error that its starter receives.
    const fault = { kind: 'other', message: report, stack: null };
    parentPort?.postMessage({ kind: 'failed', fault });
  }
  // The webhook thread: the outcome of an attempt.
  const result = { kind: 'unanswered', error: report, durationMs: 0 };
  if (message.id !== undefined) parentPort?.postMessage({ id: message.id, result });
});
