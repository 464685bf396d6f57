import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { AnswerWatch, answerOffence } from './answer-watch.ts';

describe('the watch over answers (G5)', () => {
  test.each([
    [200, '{"status":"ready"}', true],
    [503, '{"code":503,"message":"Not ready."}', true],
    [404, '{"code":404,"message":"This token is not known."}', true],
    [200, '', false],
    [404, '{"code":400,"message":"another code"}', false],
    [404, '{"code":404}', false],
    [400, '{"code":400,"message":"x","stack":"at"}', false],
    [503, '<html>503</html>', false],
    [500, '{"code":500,"message":"internal"}', false],
  ])('of %i %s says that it is as documented: %s', (status, text, isFit) => {
    expect(answerOffence(status, text) === null).toBe(isFit);
  });

  test('sees a page in another form, and names it once', async () => {
    const server = createServer((_, response) => {
      response.statusCode = 502;
      response.end('Bad Gateway');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const watch = new AnswerWatch({ url: `http://127.0.0.1:${port}`, key: 'any', paths: ['/a'] });
    while (watch.answers < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    await watch.stop();
    server.close();
    expect([...watch.offences]).toEqual(['/a: 502 Bad Gateway']);
    expect(watch.slowestMs).toBeGreaterThan(0);
  });
});
