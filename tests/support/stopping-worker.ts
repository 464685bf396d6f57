/**
 * Replaces the decode worker: stops when the origin of the block or request requests it, and
 * otherwise answers that nothing could be read.
 */
import { parentPort } from 'node:worker_threads';
import type { FromDecodeThread, ToDecodeThread } from '../../src/chain/threads/thread-messages.ts';

parentPort?.on('message', (message: ToDecodeThread) => {
  if (message.kind === 'stop') return;
  const { origin } = message.kind === 'decode' ? message.raw : message.request;
  if (origin === 'throw') throw new Error('this block is too much');
  if (origin === 'exit') process.exit(3);
  if (origin === 'silent') return;
  const body = new Uint8Array();
  const answer: FromDecodeThread =
    message.kind === 'decode'
      ? { kind: 'decoded', encodedFacts: null }
      : { kind: 'fetched', id: message.id, status: 'unread', body };
  parentPort?.postMessage(answer);
});
