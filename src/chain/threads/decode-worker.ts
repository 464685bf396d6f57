/** A thread of the decode pool: blocks and questions come in, facts go out. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { askForBlock } from './ask-for-block.ts';
import { decodeRawBlock } from './decode-raw-block.ts';
import './heap-ballast.ts';
import type { FromDecodeThread, ToDecodeThread } from './thread-messages.ts';

if (parentPort !== null) serve(parentPort);

function serve(port: MessagePort): void {
  const post = (message: FromDecodeThread) => port.postMessage(message);
  const asking = new Map<number, AbortController>();
  port.on('message', (message: ToDecodeThread) => {
    if (message.kind === 'decode') post({ kind: 'decoded', ...decodeRawBlock(message.raw) });
    else if (message.kind === 'stop') asking.get(message.id)?.abort();
    else {
      const { id, question } = message;
      const ending = new AbortController();
      asking.set(id, ending);
      void askForBlock(id, question, ending.signal).then((answer) => {
        asking.delete(id);
        post(answer);
      });
    }
  });
}
