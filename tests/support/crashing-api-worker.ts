/** An API thread that reports to listen without doing so, and crashes a moment later. */
import { parentPort } from 'node:worker_threads';

parentPort?.postMessage({ kind: 'listening', port: 1 });
setTimeout(() => {
  throw new Error('this was too much');
}, 100);
