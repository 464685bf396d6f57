import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { MessageAnswer } from '../../api/mcp/answer-message.ts';
import { answerLines } from './mcp-lines.ts';

type Answer = Parameters<typeof answerLines>[2];

/** The lines written for chunks of input. */
async function linesFor(chunks: readonly (string | Buffer)[], answer: Answer): Promise<string[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const work = answerLines(input, output, answer);
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await work;
  output.end();
  const written = (await output.toArray()).join('');
  return written === '' ? [] : written.trimEnd().split('\n');
}

const said = (text: string | null): MessageAnswer => ({ status: 200, text, fault: null });
const echo: Answer = async (text) => said(text);
const ping = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });

describe('lines of standard input', () => {
  test('are answered each with a line, however they are cut into chunks', async () => {
    const text = `${ping(1)}\n\r\n${ping(2)}\r\n${JSON.stringify({ name: '狗' })}\n`;
    const bytes = Buffer.from(text);
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    const expected = [ping(1), ping(2), '{"name":"狗"}'];
    expect(await linesFor([text], echo)).toEqual(expected);
    expect(await linesFor(single, echo)).toEqual(expected);
  });

  test('are dropped when they are too long, and the next one is answered', async () => {
    const [refusal, next] = await linesFor([`${'x'.repeat(100_000)}\n${ping(2)}\n`], echo);
    expect(JSON.parse(refusal ?? '')).toMatchObject({ error: { code: -32_600 } });
    expect(next).toBe(ping(2));
  });

  test('without an end are no message', async () => {
    expect(await linesFor([ping(1)], echo)).toEqual([]);
  });

  test('get no answer where none is due', async () => {
    expect(await linesFor([`${ping(1)}\n`], async () => said(null))).toEqual([]);
  });

  test('are answered in the order in which answers are ready', async () => {
    const first = Promise.withResolvers<void>();
    const answer: Answer = async (text) => {
      if (text === ping(1)) await first.promise;
      else first.resolve();
      return said(text);
    };
    expect(await linesFor([`${ping(1)}\n${ping(2)}\n`], answer)).toEqual([ping(2), ping(1)]);
  });

  test('that are cancelled end, and get no answer', async () => {
    const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
    const answer: Answer = async (text, signal) => {
      if (text === ping(1)) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      }
      return said(text);
    };
    const lines = [ping(1), JSON.stringify({ jsonrpc: '2.0', ...cancel }), ping(2)];
    expect(await linesFor([`${lines.join('\n')}\n`], answer)).toEqual([ping(2)]);
  });

  test('wait in the pipe while sixteen are open', async () => {
    let [open, most] = [0, 0];
    const answer: Answer = async (text) => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return said(text);
    };
    const lines = Array.from({ length: 100 }, (_, id) => ping(id));
    const answered = await linesFor([`${lines.join('\n')}\n`], answer);
    expect(answered.toSorted()).toEqual(lines.toSorted());
    expect(most).toBe(16);
  });
});
