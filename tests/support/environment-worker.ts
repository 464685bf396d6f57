/**
 * Replaces a thread of the service: reports the environment it sees, in a message of that thread.
 */
import { parentPort } from 'node:worker_threads';

const seen = Object.keys(process.env);

// For the API's thread: an error that its starter receives.
parentPort?.postMessage({
  kind: 'failed',
  fault: { kind: 'other', message: `sees ${seen.length} variables`, stack: null },
});
// For the gathering thread: figures.
const counters = [{ name: 'environment', samples: [[{}, seen.length]] }];
parentPort?.postMessage({ kind: 'counts', counts: { counters, gauges: [] } });
// For the webhook thread: the outcome of an attempt.
parentPort?.on('message', (message: { readonly kind?: string; readonly id?: number }) => {
  if (message.kind === 'close') process.exit(0);
  const result = { kind: 'unanswered', error: `sees ${seen.length} variables`, durationMs: 0 };
  parentPort?.postMessage({ id: message.id, result });
});
