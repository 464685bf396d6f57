import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import { listenHttp, type TestServer } from '../../tests/support/stranger-listeners.ts';
import { hasTestData, testData } from '../../tests/support/test-data.ts';
import {
  GATEWAYS,
  openTestGathering,
  START_MS,
  type TestGatheringOptions,
  tokenAt,
} from '../../tests/support/test-gathering.ts';
import { NO_OFFCHAIN_FACTS } from '../model/off-chain.ts';
import { PictureHasher } from '../offchain/images/picture-hasher.ts';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Pages = Record<string, (request: IncomingMessage, response: ServerResponse) => void>;

async function served(pages: Pages): Promise<TestServer> {
  const server = await listenHttp((request, response) => {
    const page = pages[request.url ?? ''];
    if (page === undefined) response.writeHead(404).end();
    else page(request, response);
  });
  closing.push(() => server.close());
  return server;
}

function startGathering(options: TestGatheringOptions) {
  const all = openTestGathering(options);
  closing.push(() => all.gathering.close());
  return all;
}

function hasher(): PictureHasher {
  const created = new PictureHasher();
  closing.push(() => created.close());
  return created;
}

const json = (value: unknown) => (_: IncomingMessage, response: ServerResponse) => {
  response.end(JSON.stringify(value));
};
const bytes = (body: Uint8Array) => (_: IncomingMessage, response: ServerResponse) => {
  response.end(body);
};
const requestsTo = (server: TestServer, path: string) =>
  server.requests.filter(({ line }) => line === `GET ${path}`).length;

const CAT = address('cat');
const DOG = address('dog');
const MINUTE_MS = 60_000;

/** A picture with structure. */
async function picture(): Promise<Buffer> {
  const data = Buffer.from(
    Array.from({ length: 64 * 64 }, (_, at) => (at * (at >> 6) * 37 + (at >> 9) * 91) % 256),
  );
  return await sharp(data, { raw: { width: 64, height: 64, channels: 1 } })
    .png()
    .toBuffer();
}

describe('The content of a token’s URI', () => {
  it.skipIf(!hasTestData)(
    'is read from the document to its picture and the hash that imagehash computes for it',
    async () => {
      const folder = join(testData, 'labels/phash');
      const known = JSON.parse(readFileSync(join(folder, 'expected_hashes.json'), 'utf8'));
      const [vector] = known.imagehash_py.vectors;
      const server = await served({
        '/cat.json': (_, response) => response.end(JSON.stringify({ image: `${at}/cat.png` })),
        '/cat.png': bytes(readFileSync(join(folder, vector.file))),
      });
      const at = `http://cat.test:${server.port}`;
      const pictures = hasher();
      const all = startGathering({ ports: [server.port], hash: (body) => pictures.hash(body) });
      await all.emit([tokenAt(CAT, `${at}/cat.json`)]);
      const { picture: seen } = all.facts.factsOf(CAT);
      expect(seen?.hash64).toBe(vector.phash);
      expect(seen?.hash32).toMatch(/^[0-9a-f]{8}$/);
      expect(seen?.hashedAtMs).toBe(START_MS);
    },
  );

  it('includes links, their status and time; hostile text is sanitised', async () => {
    const server = await served({
      '/cat.json': (_, response) =>
        response.end(
          JSON.stringify({
            name: '<img src=x onerror=alert(1)>',
            symbol: 'C\u0000A\u202eT',
            description: '"; DROP TABLE tokens; --',
            image: 'javascript:alert(1)',
            website: `${at}/gone`,
            twitter: 'https://x.com/cat',
            telegram: `${at}/moved`,
          }),
        ),
      '/moved': (_, response) => response.writeHead(302, { location: '/gone' }).end(),
    });
    const at = `http://cat.test:${server.port}`;
    const all = startGathering({ ports: [server.port] });
    await all.emit([tokenAt(CAT, `${at}/cat.json`)]);
    const { document, links } = all.facts.factsOf(CAT);
    expect(document).toEqual({
      name: '<img src=x onerror=alert(1)>',
      symbol: 'CAT',
      description: '"; DROP TABLE tokens; --',
      image: null,
      seenAtMs: START_MS,
    });
    expect(links).toEqual([
      { platform: 'website', url: `${at}/gone`, statusCode: 404, checkedAtMs: START_MS },
      // Port 443 is not allowed in this test.
      { platform: 'twitter', url: 'https://x.com/cat', statusCode: null, checkedAtMs: START_MS },
      { platform: 'website', url: `${at}/moved`, statusCode: 404, checkedAtMs: START_MS },
    ]);
  });

  it('is fetched once for all tokens with it, and a picture once per URL', async () => {
    const body = await picture();
    const server = await served({
      '/a.json': (_, response) => response.end(JSON.stringify({ name: 'a', image: `${at}/p` })),
      '/b.json': (_, response) => response.end(JSON.stringify({ name: 'b', image: `${at}/p` })),
      '/c.json': (_, response) => response.end(JSON.stringify({ name: 'c', image: `${at}/q` })),
      '/p': bytes(body),
      '/q': bytes(body),
    });
    const at = `http://cat.test:${server.port}`;
    let hashed = 0;
    const pictures = hasher();
    const hash = async (content: Uint8Array) => {
      hashed++;
      return await pictures.hash(content);
    };
    const all = startGathering({ ports: [server.port], hash });
    const tokens = ['a', 'a', 'b', 'c'].map((name, place) =>
      tokenAt(address(`token ${place}`), `${at}/${name}.json`),
    );
    await all.emit(tokens);
    await all.emit(tokens);
    const asked = ['/a.json', '/b.json', '/c.json', '/p', '/q'].map((path) =>
      requestsTo(server, path),
    );
    expect(asked).toEqual([1, 1, 1, 1, 1]);
    expect(hashed).toBe(1);
    const hashes = tokens.map(({ mint }) => all.facts.factsOf(mint).picture?.hash64);
    expect(new Set(hashes).size).toBe(1);
    expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(all.facts.clones({ mint: tokens[0]?.mint ?? CAT, after: null, limit: 9 })).toMatchObject(
      {
        clones: [{ pictureDistance: 0 }, { pictureDistance: 0 }, { pictureDistance: 0 }],
      },
    );
  });

  it('with an embedded picture needs no second request', async () => {
    const body = await picture();
    const image = `data:image/png;base64,${body.toString('base64')}`;
    const server = await served({ '/cat.json': json({ name: 'cat', image }) });
    const pictures = hasher();
    const all = startGathering({ ports: [server.port], hash: (content) => pictures.hash(content) });
    await all.emit([tokenAt(CAT, `http://cat.test:${server.port}/cat.json`)]);
    expect(server.requests).toHaveLength(1);
    expect(all.facts.factsOf(CAT).picture?.hash64).toMatch(/^[0-9a-f]{16}$/);
    const written = `data:application/json,${encodeURIComponent('{"name":"dog"}')}`;
    await all.emit([tokenAt(DOG, written)]);
    expect(all.facts.factsOf(DOG).document?.name).toBe('dog');
    expect(server.requests).toHaveLength(1);
  });

  it('with a content address is read once for all gateways and never again', async () => {
    const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';
    const server = await served({ [`/ipfs/${cid}`]: json({ name: 'cat' }) });
    const gateways = { ...GATEWAYS, ipfs: [`http://gateway.test:${server.port}`] };
    const all = startGathering({ ports: [server.port], fetch: { gateways } });
    await all.emit([
      tokenAt(CAT, `ipfs://${cid}`),
      tokenAt(DOG, `https://other.example/ipfs/${cid}`),
    ]);
    await all.pass(8 * 24 * 60 * MINUTE_MS);
    expect(server.requests).toHaveLength(1);
    expect(all.facts.factsOf(DOG).document?.name).toBe('cat');
    expect(all.jobs('metadata', 'done')).toBe(1);
  });
});

describe('What changes', () => {
  it('is read again after 5 minutes and 1 hour, starting over whenever the content changes', async () => {
    let name = 'first';
    const server = await served({
      '/cat.json': (_, response) => response.end(JSON.stringify({ name })),
    });
    const all = startGathering({ ports: [server.port] });
    await all.emit([tokenAt(CAT, `http://cat.test:${server.port}/cat.json`)]);
    await all.pass(5 * MINUTE_MS - 1);
    expect(server.requests).toHaveLength(1);
    await all.pass(1);
    expect(server.requests).toHaveLength(2);
    name = 'second';
    await all.pass(59 * MINUTE_MS);
    expect(all.facts.factsOf(CAT).document?.name).toBe('first');
    await all.pass(MINUTE_MS);
    expect(all.facts.factsOf(CAT).document).toMatchObject({
      name: 'second',
      seenAtMs: START_MS + 65 * MINUTE_MS,
    });
    await all.pass(5 * MINUTE_MS);
    expect(server.requests).toHaveLength(4);
    const versions = all.database.prepare('SELECT name FROM documents ORDER BY seen_at_ms').all();
    expect(versions.map((row) => row.name)).toEqual(['first', 'second']);
  });

  it('on the chain is a new version: the token has the content of its new URI', async () => {
    const server = await served({ '/1': json({ name: 'one' }), '/2': json({ name: 'two' }) });
    const at = `http://cat.test:${server.port}`;
    const all = startGathering({ ports: [server.port] });
    await all.emit([tokenAt(CAT, `${at}/1`)]);
    await all.pass(MINUTE_MS);
    await all.emit([tokenAt(CAT, `${at}/2`)]);
    expect(all.facts.factsOf(CAT).document?.name).toBe('two');
    const uris = all.database.prepare('SELECT uri FROM uris ORDER BY seen_at_ms').all();
    expect(uris.map(({ uri }) => uri)).toEqual([`${at}/1`, `${at}/2`]);
    await all.emit([tokenAt(CAT, null)]);
    expect(all.facts.factsOf(CAT)).toEqual(NO_OFFCHAIN_FACTS);
  });
});

describe('The thumbnails of a picture', () => {
  it('are of its newest bytes, the same for all tokens with it', async () => {
    const bodies = [
      await picture(),
      await sharp(await picture())
        .negate()
        .png()
        .toBuffer(),
    ];
    let version = 0;
    const server = await served({
      '/cat.json': (_, response) => response.end(JSON.stringify({ image: `${at}/cat.png` })),
      '/dog.json': (_, response) => response.end(JSON.stringify({ image: `${at}/cat.png` })),
      '/cat.png': (_, response) => response.end(bodies[version]),
    });
    const at = `http://cat.test:${server.port}`;
    const pictures = hasher();
    const all = startGathering({ ports: [server.port], hash: (body) => pictures.hash(body) });
    expect(all.facts.thumbnailHashOf(CAT)).toBeNull();
    await all.emit([tokenAt(CAT, `${at}/cat.json`), tokenAt(DOG, `${at}/dog.json`)]);
    const first = all.facts.thumbnailOf(CAT, 128);
    expect((await sharp(first?.bytes).metadata()).width).toBe(128);
    expect(all.facts.thumbnailOf(DOG, 128)).toEqual(first);
    expect(all.facts.factsOf(DOG).thumbnailHash).toBe(first?.hash);
    version = 1;
    await all.pass(24 * 60 * MINUTE_MS);
    const second = all.facts.thumbnailOf(CAT, 128);
    expect(second?.hash).toMatch(/^[0-9a-f]{16}$/);
    expect(second?.hash).not.toBe(first?.hash);
    expect(all.facts.thumbnailHashOf(CAT)).toBe(second?.hash);
  });

  it('are made of known bytes that have none, as in the data of an older version', async () => {
    const body = await picture();
    const server = await served({
      '/cat.json': (_, response) => response.end(JSON.stringify({ image: `${at}/cat.png` })),
      '/cat.png': bytes(body),
    });
    const at = `http://cat.test:${server.port}`;
    const pictures = hasher();
    let opened = 0;
    const hash = async (content: Uint8Array) => {
      opened++;
      return await pictures.hash(content);
    };
    const all = startGathering({ ports: [server.port], hash });
    await all.emit([tokenAt(CAT, `${at}/cat.json`)]);
    all.database.exec('DELETE FROM thumbnails');
    expect(all.facts.factsOf(CAT).thumbnailHash).toBeNull();
    await all.pass(24 * 60 * MINUTE_MS);
    expect(all.facts.factsOf(CAT).thumbnailHash).toMatch(/^[0-9a-f]{16}$/);
    expect(opened).toBe(2);
    await all.pass(7 * 24 * 60 * MINUTE_MS);
    expect([requestsTo(server, '/cat.png'), opened]).toEqual([3, 2]);
  });
});

describe('What fails', () => {
  it('because the picture process was killed is retried, with a new process', async () => {
    const body = await picture();
    const server = await served({
      '/cat.json': (_, response) => response.end(JSON.stringify({ image: `${at}/cat.png` })),
      '/cat.png': bytes(body),
    });
    const at = `http://cat.test:${server.port}`;
    const pictures = hasher();
    let isKilled = false;
    const hash = async (content: Uint8Array) => {
      const outcome = pictures.hash(content);
      if (!isKilled) pictures.close();
      isKilled = true;
      return await outcome;
    };
    const all = startGathering({ ports: [server.port], hash });
    await all.emit([tokenAt(CAT, `${at}/cat.json`)]);
    expect(all.facts.factsOf(CAT).picture).toBeNull();
    expect(all.jobs('picture', 'waiting')).toBe(1);
    await all.pass(10_000);
    expect(all.facts.factsOf(CAT).picture?.hash64).toMatch(/^[0-9a-f]{16}$/);
  });

  it('because a picture took too long to open is retried, since the machine may have been busy', async () => {
    const body = await picture();
    const server = await served({
      '/cat.json': (_, response) => response.end(JSON.stringify({ image: `${at}/cat.png` })),
      '/cat.png': bytes(body),
      '/written.json': (_, response) =>
        response.end(
          JSON.stringify({
            name: 'written',
            image: `data:image/png;base64,${body.toString('base64')}`,
          }),
        ),
    });
    const at = `http://cat.test:${server.port}`;
    let isBusy = true;
    const hash = async () =>
      isBusy
        ? ({ kind: 'no-hash', fault: 'timed-out', thumbnails: null } as const)
        : ({
            kind: 'hashed',
            hash64: '0123456789abcdef',
            hash32: '01234567',
            thumbnails: null,
          } as const);
    const all = startGathering({ ports: [server.port], hash });
    await all.emit([tokenAt(CAT, `${at}/cat.json`)]);
    expect(all.facts.factsOf(CAT).picture).toBeNull();
    expect(all.jobs('picture', 'waiting')).toBe(1);
    isBusy = false;
    await all.pass(10_000);
    expect(all.facts.factsOf(CAT).picture?.hash64).toBe('0123456789abcdef');
    // An embedded picture does not block its document.
    isBusy = true;
    const other = address('written mint');
    const slow = startGathering({ ports: [server.port], hash });
    await slow.emit([tokenAt(other, `${at}/written.json`)]);
    expect(slow.facts.factsOf(other).document?.name).toBe('written');
    expect(slow.facts.factsOf(other).picture?.hash64 ?? null).toBeNull();
  });

  it('is retried with increasing delays, and dead after eight failures', async () => {
    const server = await served({});
    const all = startGathering({ ports: [server.port] });
    await all.emit([tokenAt(CAT, `http://cat.test:${server.port}/cat.json`)]);
    // Three quarters of 10 s, 40 s, 160 s …, since the random value of the test is one half.
    for (const [failures, waitMs] of [7_500, 30_000, 120_000].entries()) {
      await all.pass(waitMs - 1);
      expect(server.requests).toHaveLength(failures + 1);
      await all.pass(1);
      expect(server.requests).toHaveLength(failures + 2);
    }
    for (let at = 0; at < 4; at++) await all.pass(6 * 60 * MINUTE_MS);
    expect(server.requests).toHaveLength(8);
    expect(all.dead).toEqual([`metadata http://cat.test:${server.port}/cat.json status-404`]);
    expect(all.jobs('metadata', 'dead')).toBe(1);
    await all.pass(24 * 60 * MINUTE_MS);
    expect(server.requests).toHaveLength(8);
  });

  it('without any network does not count as a failure: it is done when the network is back', async () => {
    const server = await served({ '/cat.json': json({ name: 'cat' }) });
    let isUp = false;
    const resolve = async () => (isUp ? ['127.0.0.1'] : []);
    const all = startGathering({ ports: [server.port], fetch: { resolve } });
    await all.emit([tokenAt(CAT, `http://cat.test:${server.port}/cat.json`)]);
    for (let tries = 0; tries < 20; tries++) await all.pass(60 * MINUTE_MS);
    expect(all.dead).toEqual([]);
    isUp = true;
    await all.pass(60 * MINUTE_MS);
    expect(all.facts.factsOf(CAT).document?.name).toBe('cat');
  });

  it('S-12: for a bomb is cut off: ten gigabytes of gzip are rejected before they are decompressed', async () => {
    const member = gzipSync(Buffer.alloc(64 * 1_048_576));
    let sentBytes = 0;
    const server = await served({
      '/bomb.json': (_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        const more = (left: number): void => {
          if (left === 0 || response.destroyed) return;
          sentBytes += member.length;
          response.write(member, () => more(left - 1));
        };
        more(160);
      },
    });
    const all = startGathering({ ports: [server.port] });
    const memory = process.memoryUsage.rss();
    await all.emit([tokenAt(CAT, `http://cat.test:${server.port}/bomb.json`)]);
    expect(all.dead).toEqual([`metadata http://cat.test:${server.port}/bomb.json body-too-large`]);
    expect(process.memoryUsage.rss() - memory).toBeLessThan(64 * 1_048_576);
    expect(sentBytes).toBeLessThan(160 * member.length);
  });

  it('never reaches a private address, by any indirection', async () => {
    const open = await served({
      '/redirect.json': (_, response) =>
        response.writeHead(302, { location: `http://127.0.0.2:${forbidden.port}/` }).end(),
      '/picture.json': (_, response) =>
        response.end(
          JSON.stringify({
            image: `http://127.0.0.2:${forbidden.port}/picture.png`,
            website: `http://127.0.0.2:${forbidden.port}/page`,
            twitter: `http://0x7f000002:${forbidden.port}/`,
            telegram: `http://evil.test:${forbidden.port}/`,
          }),
        ),
    });
    const forbidden = await listenHttp((_, response) => response.end('{}'), '127.0.0.2', open.port);
    closing.push(() => forbidden.close());
    const names: Record<string, string[]> = {
      'evil.test': ['127.0.0.2'],
      'mixed.test': ['127.0.0.1', '127.0.0.2'],
    };
    const resolve = async (host: string) => names[host] ?? ['127.0.0.1'];
    const all = startGathering({ ports: [open.port], fetch: { resolve } });
    const port = open.port;
    const uris = [
      `http://127.0.0.2:${port}/`,
      `http://2130706434:${port}/`,
      `http://evil.test:${port}/`,
      `http://mixed.test:${port}/`,
      `http://[::ffff:127.0.0.2]:${port}/`,
      `http://localhost:${port}/`,
      `http://cat.test:${port}/redirect.json`,
      `http://cat.test:${port}/picture.json`,
    ];
    await all.emit(uris.map((uri, at) => tokenAt(address(`token ${at}`), uri)));
    await all.pass(24 * 60 * MINUTE_MS);
    expect(forbidden.connections()).toBe(0);
    expect(open.connections()).toBeGreaterThanOrEqual(2);
    expect(all.facts.factsOf(address('token 7')).links.map(({ statusCode }) => statusCode)).toEqual(
      [null, null, null],
    );
  });
});

describe('Tracked tokens', () => {
  it('are published with their official links, at the start and whenever the links change', async () => {
    let twitter = 'https://x.com/cat';
    const server = await served({
      '/cat.json': (_, response) => response.end(JSON.stringify({ twitter })),
    });
    const all = startGathering({ ports: [server.port] });
    const updates = { mint: CAT, trackingSinceMs: START_MS, symbol: 'CAT', isLiquid: false };
    all.gathering.take({ tokens: [], tracked: [updates], reached: null });
    all.gathering.take({ tokens: [], tracked: [updates], reached: null });
    expect(all.tracked).toEqual([{ ...updates, officialLinks: [] }]);
    await all.emit([tokenAt(CAT, `http://cat.test:${server.port}/cat.json`)]);
    twitter = 'https://x.com/dog';
    await all.pass(5 * MINUTE_MS);
    const later = { ...updates, trackingSinceMs: START_MS + 5, isLiquid: true };
    all.gathering.take({ tokens: [], tracked: [later], reached: null });
    expect(all.tracked.slice(1)).toEqual([
      { ...updates, officialLinks: ['https://x.com/cat'] },
      { ...updates, officialLinks: ['https://x.com/dog'] },
      // The time of first tracking does not change.
      { ...updates, isLiquid: true, officialLinks: ['https://x.com/dog'] },
    ]);
    expect(all.gathering.tracked).toEqual([{ ...updates, isLiquid: true }]);
  });
});
