import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { MessageAnswer } from '../../api/mcp/answer-message.ts';
import { type Message, parseMessage } from '../../api/mcp/protocol/parse-message.ts';
import { type RequestId, RPC, RpcError } from '../../api/mcp/protocol/rpc-error.ts';
import { boundedLines } from './bounded-lines.ts';

/** As the body limit of the service. */
const LINE_BYTES_MAX = 64 * 1_024;
/** Further messages wait in the pipe. */
const OPEN_MAX = 16;

type Answer = (text: string, signal: AbortSignal) => Promise<MessageAnswer>;

/**
 * Answers each line of the input with a line, until the input ends and all is answered. Answers come
 * in the order in which they are ready. `notifications/cancelled` ends the request that it names,
 * which then gets no answer. Faults of this program are written to standard error.
 */
export async function answerLines(
  input: Readable,
  output: Writable,
  answer: Answer,
): Promise<void> {
  const open = new Set<Promise<void>>();
  const stops = new Map<RequestId, AbortController>();
  for await (const line of boundedLines(input, LINE_BYTES_MAX)) {
    const message = line === null ? null : messageOf(line);
    if (message?.method === 'notifications/cancelled') {
      stops.get(message.params.requestId as RequestId)?.abort();
      continue;
    }
    const work = line === null ? writeLine(output, TOO_LONG) : one(line, message?.id ?? null);
    const tracked: Promise<void> = work.finally(() => open.delete(tracked));
    open.add(tracked);
    if (open.size >= OPEN_MAX) await Promise.race(open);
  }
  await Promise.all(open);

  async function one(line: string, id: RequestId | null): Promise<void> {
    const stop = new AbortController();
    if (id !== null) stops.set(id, stop);
    const { text, fault } = await answer(line, stop.signal);
    if (id !== null && stops.get(id) === stop) stops.delete(id);
    if (stop.signal.aborted) return;
    if (fault instanceof Error) process.stderr.write(`mintscope: ${fault.stack}\n`);
    if (text !== null) await writeLine(output, text);
  }
}

async function writeLine(output: Writable, text: string): Promise<void> {
  if (!output.write(`${text}\n`)) await once(output, 'drain');
}

const TOO_LONG = JSON.stringify({
  jsonrpc: '2.0',
  error: {
    code: RPC.invalidRequest,
    message: `A message is longer than ${LINE_BYTES_MAX} bytes.`,
  },
});

/** Null for what is no message: the answer says why. */
function messageOf(line: string): Message | null {
  try {
    return parseMessage(line);
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}
