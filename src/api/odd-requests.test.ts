import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { READ_KEY } from '../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../tests/support/fake-api-server.ts';

const server = fakeApiServer();
beforeAll(async () => {
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: unknown;
}

/** The first answer to these bytes; the client sends nothing more and ends nothing. */
function answerTo(bytes: string): Promise<Answer> {
  const { port } = server.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1');
    const read = () => {
      const answer = parsed(text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''));
      if (answer === null) return;
      resolve(answer);
      socket.destroy();
    };
    socket.on('data', (chunk) => {
      text += chunk;
      read();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`ended after ${JSON.stringify(text)}`)));
  });
}

/** Null while it is incomplete. */
function parsed(text: string): Answer | null {
  const [head = '', rest] = text.split('\r\n\r\n', 2);
  if (rest === undefined) return null;
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  if (rest.length < length) return null;
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]),
    head,
    body: JSON.parse(rest.slice(0, length)),
  };
}

const KEY = `X-API-Key: ${READ_KEY}\r\n`;
const NO_KEY = {
  code: 401,
  message: 'A valid API key is required, in the header X-API-Key or as Authorization: Bearer.',
};
const ONE_HOST = { code: 400, message: 'The request must have one Host header.' };
const NOT_HTTP = { code: 400, message: 'The request is not HTTP.' };
const UPGRADE = 'Host: x\r\nConnection: Upgrade\r\nUpgrade:';
const BODY = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n';

describe('unusual HTTP requests', () => {
  test.each<[string, string, unknown]>([
    ['no Host', `GET /v1/tokens HTTP/1.1\r\n${KEY}\r\n`, ONE_HOST],
    ['two hosts', `GET /v1/tokens HTTP/1.1\r\n${KEY}Host: a\r\nhost: b\r\n\r\n`, ONE_HOST],
    ['no Host and an unknown path', `GET /nowhere HTTP/1.1\r\n${KEY}\r\n`, ONE_HOST],
    ['no Host and a broken escape', `GET /v1/token/%E0%A4%A HTTP/1.1\r\n${KEY}\r\n`, ONE_HOST],
    [
      'no Host and an upgrade',
      `GET /v1/triggers/ws HTTP/1.1\r\n${KEY}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      ONE_HOST,
    ],
    ['HTTP/1.0 without Host', 'GET /v1/tokens HTTP/1.0\r\n\r\n', NO_KEY],
    [
      'CONNECT',
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
      { code: 405, message: 'CONNECT is not supported.' },
    ],
    [
      'CONNECT without Host',
      'CONNECT example.com:443 HTTP/1.1\r\n\r\n',
      { code: 405, message: 'CONNECT is not supported.' },
    ],
    ['a method nobody knows', 'BREW /v1/tokens HTTP/1.1\r\nHost: x\r\n\r\n', NOT_HTTP],
    [
      'a method for proxies',
      `PURGE /v1/tokens HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
      { code: 405, message: 'This path answers only GET, HEAD.' },
    ],
    [
      'TRACE',
      `TRACE /v1/tokens HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
      { code: 405, message: 'This path answers only GET, HEAD.' },
    ],
    [
      'OPTIONS *',
      `OPTIONS * HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
      { code: 404, message: 'There is no such path.' },
    ],
    [
      'a target of another scheme',
      `GET ftp://example.com/v1/tokens HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
      { code: 404, message: 'There is no such path.' },
    ],
    ['a target without a slash', 'GET v1/tokens HTTP/1.1\r\nHost: x\r\n\r\n', NOT_HTTP],
    ['an upgrade to h2c', `GET /v1/tokens HTTP/1.1\r\n${UPGRADE} h2c\r\n\r\n`, NO_KEY],
    ['an upgrade to TLS', `GET /v1/tokens HTTP/1.1\r\n${UPGRADE} TLS/1.0\r\n\r\n`, NO_KEY],
    [
      'an upgrade of a POST',
      `POST /v1/triggers/ws HTTP/1.1\r\n${UPGRADE} websocket\r\n\r\n`,
      NO_KEY,
    ],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', NOT_HTTP],
    ['HTTP/3.0', 'GET / HTTP/3.0\r\nHost: x\r\n\r\n', NOT_HTTP],
    [
      'an expectation nobody knows',
      `POST /v1/triggers/add HTTP/1.1\r\n${BODY}Expect: 200-maybe\r\n\r\n`,
      { code: 417, message: 'The only supported expectation is 100-continue.' },
    ],
    [
      'an expectation of 100',
      `POST /v1/triggers/add HTTP/1.1\r\n${BODY}Expect: 100-continue\r\n\r\n{}`,
      NO_KEY,
    ],
    [
      'a length and chunks',
      'POST /v1/triggers/add HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      NOT_HTTP,
    ],
  ])('%s is answered with the common error body', async (_, bytes, body) => {
    const answer = await answerTo(bytes);
    expect(answer.body).toEqual(body);
    expect(answer.status).toBe((body as { code: number }).code);
  });

  test('nothing is read after an unsupported expectation', async () => {
    const bytes = `POST /v1/triggers/add HTTP/1.1\r\n${BODY}Expect: 200-maybe\r\n\r\n`;
    expect((await answerTo(bytes)).head).toMatch(/\r\nconnection: close/i);
  });

  test('a target in absolute form is answered as its path', async () => {
    const bytes = `GET http://example.com/v1/tokens HTTP/1.1\r\nHost: example.com\r\n${KEY}\r\n`;
    expect((await answerTo(bytes)).status).toBe(200);
  });
});
