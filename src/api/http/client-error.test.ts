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

describe('input that never becomes a request', () => {
  test('is answered 400 with the common error body', async () => {
    const { head, body } = await send('NONSENSE\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toMatch(/content-type: application\/json/i);
    expect(body).toEqual({ code: 400, message: 'The request is not HTTP.' });
  });

  test('is answered 431 when the head is too large', async () => {
    const { head, body } = await send(`GET /v1/token/${'1'.repeat(100_000)} HTTP/1.1\r\n\r\n`);
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(body).toEqual({ code: 431, message: 'The request head is too large.' });
  });
});
