import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../src/lib/clock.ts';
import { answerCall, questionOf } from './answer-call.ts';
import { halfOf, WEB_PAGE } from './damage.ts';
import type { NodeState } from './node-state.ts';
import { RpcError } from './rpc-error.ts';
import { errorText, parseRpcBody, type RefusedCall, type RpcCall } from './rpc-message.ts';

export interface HttpLimits {
  /** Maximum size of a request; current nodes accept 50 KiB. */
  readonly bodyBytes: number;
  /** Maximum characters of the answer to a batch; further calls are refused. */
  readonly batchAnswerChars: number;
}

/** The JSON-RPC interface of a node over HTTP, with connection faults. */
export class HttpFace {
  private readonly node: NodeState;
  private readonly limits: HttpLimits;
  private readonly clock: Clock;

  constructor(node: NodeState, limits: HttpLimits, clock: Clock) {
    this.node = node;
    this.limits = limits;
    this.clock = clock;
  }

  /** Answers a POST. The promise never rejects because of the client. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
      const message =
        'Supplied content type is not allowed. Content-Type: application/json is required\n';
      return reply(response, 415, message);
    }
    const read = await readBody(request, this.limits.bodyBytes);
    if (read.kind === 'tooLong') return reply(response, 413, 'Payload too large\n');
    if (read.kind === 'gone') return;
    const body = parseRpcBody(read.text);
    const calls = body.kind === 'single' ? [body.call] : body.calls;
    const key = this.node.faults.ask(`http ${calls.slice(0, 2).map(questionOf).join(' ')}`);
    if (await this.isSpoilt(response, key)) return;
    const answers = await this.answersTo(calls);
    const whole = body.kind === 'single' ? answers.join('') : `[${answers.join(',')}]`;
    this.send(response, answers.length === 0 ? '' : whole, key);
  }

  /** True if a fault closed the connection or answered in place of the node. */
  private async isSpoilt(response: ServerResponse, key: string): Promise<boolean> {
    const { faults } = this.node;
    if (faults.strikes('stall', key)) return true;
    const delayMs = faults.delayMs(key);
    if (delayMs > 0) await this.clock.sleep(delayMs);
    const status = faults.code('httpErrors', key, () => true);
    if (status === 429) {
      const seconds = String(faults.settings.retryAfterSeconds);
      reply(response, 429, 'Too many requests\n', { 'retry-after': seconds });
    } else if (status !== null) {
      reply(response, status, WEB_PAGE, { 'content-type': 'text/html' });
    } else if (faults.strikes('html', key)) {
      reply(response, 200, WEB_PAGE, { 'content-type': 'text/html' });
    } else {
      return false;
    }
    return true;
  }

  /** Answers the calls in order; other clients are served in between. */
  private async answersTo(calls: readonly (RpcCall | RefusedCall)[]): Promise<string[]> {
    const answers: string[] = [];
    let chars = 0;
    for (const call of calls) {
      if (answers.length > 0) await setImmediate();
      const isFull = chars > this.limits.batchAnswerChars;
      const answer = isFull ? tooLarge(call) : answerCall(this.node, call);
      if (answer === null) continue;
      answers.push(answer);
      chars += answer.length;
    }
    return answers;
  }

  private send(response: ServerResponse, text: string, key: string): void {
    const { faults } = this.node;
    const json = { 'content-type': 'application/json; charset=utf-8' };
    if (faults.strikes('cut', key)) {
      response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(text) });
      response.write(halfOf(text), () => response.destroy());
      return;
    }
    reply(response, 200, faults.strikes('truncatedJson', key) ? halfOf(text) : text, json);
  }
}

function tooLarge(call: RpcCall | RefusedCall): string | null {
  if (call.id === undefined) return null;
  return errorText(call.id, new RpcError(-32603, 'The answers to the batch are too large'));
}

export function reply(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type = { 'content-type': 'text/plain' };
  response.writeHead(status, { ...type, ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

export type Body =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tooLong' }
  /** The client disconnected before the end of its request. */
  | { readonly kind: 'gone' };

/**
 * Reads a whole body. The rest of a body that is too long is read and discarded, so the client
 * receives the answer.
 */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Body> {
  const parts: Buffer[] = [];
  let length = 0;
  request.on('data', (part: Buffer) => {
    length += part.length;
    if (length <= bytesMax) parts.push(part);
    else parts.length = 0;
  });
  await new Promise<void>((resolve) => {
    request.on('end', resolve);
    request.on('error', () => resolve());
    request.on('close', resolve);
  });
  if (!request.complete) return { kind: 'gone' };
  if (length > bytesMax) return { kind: 'tooLong' };
  return { kind: 'text', text: Buffer.concat(parts).toString('utf8') };
}
