import { lookup } from 'node:dns/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { listenNames, type NameRecord } from '../../../tests/support/name-server.ts';
import { listenHttp } from '../../../tests/support/stranger-listeners.ts';
import { createResolveHost } from './resolve-host.ts';
import { createSafeFetch } from './safe-fetch.ts';

const LOOPBACK_6 = '0:0:0:0:0:0:0:1';
const closing: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function serveNames(recordOf: (name: string) => NameRecord | null) {
  const server = await listenNames(recordOf);
  closing.push(() => server.close());
  return server;
}

describe('createResolveHost', () => {
  it('returns addresses of both families, and follows a chain of names to its end', async () => {
    const records: Record<string, NameRecord> = {
      'both.test': ['192.0.2.1', '192.0.2.2', '2001:db8:0:0:0:0:0:5'],
      'four.test': ['192.0.2.3'],
      'first.test': { cname: 'second.test' },
      'second.test': { cname: 'both.test' },
    };
    const { address } = await serveNames((name) => records[name] ?? []);
    const resolve = createResolveHost({ servers: [address] });
    expect(await resolve('both.test')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::5']);
    expect(await resolve('four.test')).toEqual(['192.0.2.3']);
    expect(await resolve('first.test')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::5']);
    expect(await resolve('none.test')).toEqual([]);
    expect(await resolve(`${'a'.repeat(70)}.test`)).toEqual([]);
  });

  it('gives up on name servers that do not answer, without delaying other requests', async () => {
    const { address, asked: queries } = await serveNames(() => null);
    const resolve = createResolveHost({ servers: [address], tryTimeoutMs: 500 });
    let isOver = false;
    // More than the threads of the process-wide pool.
    const silent = Promise.all(
      Array.from({ length: 64 }, (_, at) => resolve(`silent${at}.test`)),
    ).finally(() => {
      isOver = true;
    });
    await lookup('localhost');
    expect(isOver).toBe(false);
    expect((await silent).flat()).toEqual([]);
    expect(new Set(queries).size).toBe(128);
  });
});

describe('S-02: a name from a name server', () => {
  it('is refused if any part of the answer leads to an internal address', async () => {
    const inside = await listenHttp((_, response) => response.end('secret'), '127.0.0.2');
    closing.push(() => inside.close());
    const records: Record<string, NameRecord> = {
      'chain.test': { cname: 'alias.test' },
      'alias.test': { cname: 'db.inside.test' },
      'db.inside.test': ['127.0.0.2'],
      'mixed.test': ['127.0.0.1', '127.0.0.2'],
      'kinds.test': ['127.0.0.1', LOOPBACK_6],
    };
    const { address } = await serveNames((name) => records[name] ?? []);
    const fetch = createSafeFetch({
      ...{ isHttpAllowed: true, ports: [inside.port] },
      isAddressAllowed: (each) => each === '127.0.0.1',
      resolve: createResolveHost({ servers: [address] }),
    });
    for (const name of ['chain.test', 'mixed.test', 'kinds.test']) {
      const outcome = await fetch(`http://${name}:${inside.port}/`, { sizeMaxBytes: 10 });
      expect([name, outcome]).toEqual([
        name,
        expect.objectContaining({ reason: 'address-not-public' }),
      ]);
    }
    expect(inside.connections()).toBe(0);
  });

  it('is resolved once, even if its address changes later', async () => {
    const outside = await listenHttp((_, response) => response.end('public'), '127.0.0.1');
    const inside = await listenHttp((_, response) => response.end('s'), '127.0.0.2', outside.port);
    closing.push(
      () => outside.close(),
      () => inside.close(),
    );
    let answers = 0;
    const { address, asked: queries } = await serveNames(() =>
      // The first two queries are for the two address families.
      answers++ < 2 ? ['127.0.0.1'] : ['127.0.0.2'],
    );
    const fetch = createSafeFetch({
      ...{ isHttpAllowed: true, ports: [outside.port] },
      isAddressAllowed: (each) => each === '127.0.0.1',
      resolve: createResolveHost({ servers: [address] }),
    });
    const url = `http://rebind.test:${outside.port}/`;
    expect(await fetch(url, { sizeMaxBytes: 10 })).toMatchObject({ kind: 'ok', status: 200 });
    expect(queries.toSorted()).toEqual(['A rebind.test', 'AAAA rebind.test']);
    expect(await fetch(url, { sizeMaxBytes: 10 })).toMatchObject({ reason: 'address-not-public' });
    expect(inside.connections()).toBe(0);
  });
});
