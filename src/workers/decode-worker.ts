/** A thread of the decode pool: raw blocks come in, their facts go out, one by one and in order. */
import { parentPort } from 'node:worker_threads';
import type { RawBlock } from '../sources/raw-block.ts';
import { decodeRawBlock } from './decode-raw-block.ts';

parentPort?.on('message', (raw: RawBlock) => {
  parentPort?.postMessage(decodeRawBlock(raw));
});
