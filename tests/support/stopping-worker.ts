/**
 * Stands in for the decode worker: stops where the block's origin says so, answers `unreadable`
 * otherwise.
 */
import { parentPort } from 'node:worker_threads';
import type { RawBlock } from '../../src/sources/raw-block.ts';
import type { WorkerAnswer } from '../../src/workers/decode-raw-block.ts';

parentPort?.on('message', ({ origin }: RawBlock) => {
  if (origin === 'throw') throw new Error('this block is too much');
  if (origin === 'exit') process.exit(3);
  if (origin === 'silent') return;
  const answer: WorkerAnswer = { encodedFacts: null };
  parentPort?.postMessage(answer);
});
