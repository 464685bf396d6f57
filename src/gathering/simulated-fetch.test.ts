import { afterEach, describe, expect, it } from 'vitest';
import { listenHttp, type TestServer } from '../../tests/support/stranger-listeners.ts';
import { createSimulatedFetch } from './simulated-fetch.ts';

const SIZE = { sizeMaxBytes: 1_000 };
const CID = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';

describe('URLs of tokens of a simulated market', () => {
  let web: TestServer;
  let other: TestServer | null = null;

  afterEach(async () => {
    await Promise.all([web.close(), other?.close()]);
  });

  it.each([
    ['https://metadata.example/1a.json?x=1', 'GET /metadata.example/1a.json?x=1'],
    ['https://x.com/frog_sol', 'GET /x.com/frog_sol'],
    ['http://127.0.0.1:1/admin', 'GET /127.0.0.1:1/admin'],
    [`ipfs://${CID}/a.json`, `GET /${CID}/a.json`],
    [`https://ipfs.io/ipfs/${CID}`, `GET /ipfs.io/ipfs/${CID}`],
    [`http://ipfs/${CID}`, `GET /ipfs/${CID}`],
  ])('%s is fetched from its own web', async (url, line) => {
    web = await listenHttp((_, response) => response.end('here'));
    const answer = await createSimulatedFetch(`http://127.0.0.1:${web.port}`)(url, SIZE);
    expect(answer).toMatchObject({ kind: 'ok', status: 200 });
    expect(web.requests.map((request) => request.line)).toEqual([line]);
  });

  it('are fetched from nowhere else', async () => {
    const elsewhere = await listenHttp((_, response) => response.end('outside'));
    other = elsewhere;
    web = await listenHttp((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/` }).end();
    });
    const fetch = createSimulatedFetch(`http://127.0.0.1:${web.port}`);
    expect((await fetch('https://metadata.example/1a.json', SIZE)).kind).toBe('refused');
    expect(elsewhere.requests).toHaveLength(0);
  });
});
