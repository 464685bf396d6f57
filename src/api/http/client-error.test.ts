import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';

const server = fakeApiServer();
beforeAll(async () => {
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

function send(bytes: string): Promise<{ readonly head: string; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    let text = '';
    const { port } = server.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      resolve({ head, body: JSON.parse(body) });
    });
  });
}

function idIn(head: string): string | undefined {
  return /^x-request-id: (\S+)$/im.exec(head.replaceAll('\r', ''))?.[1];
}

describe('input that never becomes a request', () => {
  test('is answered 400 with the common error body', async () => {
    const { head, body } = await send('NONSENSE\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toMatch(/content-type: application\/json/i);
    expect(body).toEqual({ code: 400, message: 'The request is not HTTP.' });
  });

  test.each([
    ['no HTTP', 'NONSENSE\r\n\r\n', 400],
    ['a head that is too large', `GET /${'1'.repeat(100_000)} HTTP/1.1\r\n\r\n`, 431],
    ['a wrong length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['an expectation', 'GET /livez HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n', 417],
  ])('has an ID and the headers of every response: %s', async (_what, bytes, status) => {
    const [first, second] = [await send(bytes), await send(bytes)];
    expect(first.head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(first.body).toMatchObject({ code: status });
    expect(first.head).toMatch(/x-content-type-options: nosniff/i);
    expect(first.head).toMatch(/content-type: application\/json/i);
    expect(idIn(first.head)).toMatch(/^[0-9a-f]{12}-\w+$/);
    expect(idIn(second.head)).not.toBe(idIn(first.head));
  });

  test.each(['CONNECT a:1', 'GET /livez'])('keeps the ID of a parsed head: %s', async (line) => {
    const lines = [`${line} HTTP/1.1`, 'Host: a', 'Expect: more', 'X-Request-Id: mine'];
    expect(idIn((await send(`${lines.join('\r\n')}\r\n\r\n`)).head)).toBe('mine');
  });

  test('is answered 431 when the head is too large', async () => {
    const { head, body } = await send(`GET /v1/token/${'1'.repeat(100_000)} HTTP/1.1\r\n\r\n`);
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(body).toEqual({ code: 431, message: 'The request head is too large.' });
  });
});
