/** A thread of the decode pool: receives blocks and requests, returns facts. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { decodeRawBlock } from './decode-raw-block.ts';
import { requestBlock } from './request-block.ts';
import './heap-ballast.ts';
import type { FromDecodeThread, ToDecodeThread } from './thread-messages.ts';

if (parentPort !== null) serve(parentPort);

function serve(port: MessagePort): void {
  const post = (message: FromDecodeThread) => port.postMessage(message);
  const open = new Map<number, AbortController>();
  port.on('message', (message: ToDecodeThread) => {
    if (message.kind === 'decode') post({ kind: 'decoded', ...decodeRawBlock(message.raw) });
    else if (message.kind === 'stop') open.get(message.id)?.abort();
    else {
      const { id, request } = message;
      const ending = new AbortController();
      open.set(id, ending);
      void requestBlock(id, request, ending.signal).then((answer) => {
        open.delete(id);
        post(answer);
      });
    }
  });
}
