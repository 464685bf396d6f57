/** A thread of the API that listens nowhere, says that it does, and falls a moment later. */
import { parentPort } from 'node:worker_threads';

parentPort?.postMessage({ kind: 'listening', port: 1 });
setTimeout(() => {
  throw new Error('this was too much');
}, 100);
