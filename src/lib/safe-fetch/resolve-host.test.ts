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
  it('gives addresses of both kinds, and of a chain of names those at its end', async () => {
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

  it('gives up on servers that keep silent, and holds nobody else up meanwhile', async () => {
    const { address, asked } = await serveNames(() => null);
    const resolve = createResolveHost({ servers: [address], tryTimeoutMs: 500 });
    let isOver = false;
    // More than there are threads in the pool that all of the process shares.
    const silent = Promise.all(
      Array.from({ length: 64 }, (_, at) => resolve(`silent${at}.test`)),
    ).finally(() => {
      isOver = true;
    });
    await lookup('localhost');
    expect(isOver).toBe(false);
    expect((await silent).flat()).toEqual([]);
    expect(new Set(asked).size).toBe(128);
  });
});

describe('S-02: a name that a name server tells', () => {
  it('is refused over a chain, mixed, or with one address of the other kind that is inside', async () => {
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

  it('and tells otherwise at once is asked for once, and connected to where it was first', async () => {
    const outside = await listenHttp((_, response) => response.end('public'), '127.0.0.1');
    const inside = await listenHttp((_, response) => response.end('s'), '127.0.0.2', outside.port);
    closing.push(
      () => outside.close(),
      () => inside.close(),
    );
    let answers = 0;
    const { address, asked } = await serveNames(() =>
      // The first two questions are for both kinds of addresses.
      answers++ < 2 ? ['127.0.0.1'] : ['127.0.0.2'],
    );
    const fetch = createSafeFetch({
      ...{ isHttpAllowed: true, ports: [outside.port] },
      isAddressAllowed: (each) => each === '127.0.0.1',
      resolve: createResolveHost({ servers: [address] }),
    });
    const url = `http://rebind.test:${outside.port}/`;
    expect(await fetch(url, { sizeMaxBytes: 10 })).toMatchObject({ kind: 'ok', status: 200 });
    expect(asked.toSorted()).toEqual(['A rebind.test', 'AAAA rebind.test']);
    expect(await fetch(url, { sizeMaxBytes: 10 })).toMatchObject({ reason: 'address-not-public' });
    expect(inside.connections()).toBe(0);
  });
});
