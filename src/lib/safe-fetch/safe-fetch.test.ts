import { afterEach, describe, expect, it } from 'vitest';
import { listenHttp, type TestServer } from '../../../tests/support/stranger-listeners.ts';
import { createSafeFetch, type SafeFetch, type SafeFetchSettings } from './safe-fetch.ts';

const SIZE = { sizeMaxBytes: 1_000 };
const servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...wanted: Parameters<typeof listenHttp>): Promise<TestServer> {
  const server = await listenHttp(...wanted);
  servers.push(server);
  return server;
}

/** A client that may only connect to 127.0.0.1, to which `name.test` resolves. */
function client(port: number, settings: Partial<SafeFetchSettings> = {}): SafeFetch {
  return createSafeFetch({
    isHttpAllowed: true,
    ports: [port],
    isAddressAllowed: (address) => address === '127.0.0.1',
    resolve: async () => ['127.0.0.1'],
    ...settings,
  });
}

async function reasonOf(fetch: SafeFetch, url: string): Promise<string> {
  const outcome = await fetch(url, SIZE);
  return outcome.kind === 'refused' ? outcome.reason : 'ok';
}

describe('An answer', () => {
  it('has a status, a type and bytes, and the URL it came from', async () => {
    const server = await serve((_, response) => {
      response.writeHead(404, { 'content-type': 'text/plain', 'retry-after': '7' }).end('none');
    });
    const url = `http://name.test:${server.port}/a?b=c`;
    expect(await client(server.port)(url, SIZE)).toEqual({
      kind: 'ok',
      status: 404,
      contentType: 'text/plain',
      retryAfter: '7',
      body: new TextEncoder().encode('none'),
      finalUrl: url,
      canonicalUrl: url,
      redirects: 0,
    });
    expect(server.requests[0]?.line).toBe('GET /a?b=c');
    expect(server.requests[0]?.headers['accept-encoding']).toBe('identity, gzip');
  });

  it("to a POST is the receiver's answer to the sent body", async () => {
    const server = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => response.write(chunk));
      request.on('end', () => response.end());
    });
    const outcome = await client(server.port)(`http://name.test:${server.port}/hook`, {
      ...SIZE,
      method: 'POST',
      body: new TextEncoder().encode('{"fired":true}'),
    });
    expect(outcome.kind === 'ok' && Buffer.from(outcome.body).toString()).toBe('{"fired":true}');
  });

  it('of which only the status is requested is not read', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200);
      response.write('never ends');
    });
    const outcome = await client(server.port)(`http://name.test:${server.port}/`, {
      sizeMaxBytes: 0,
    });
    expect(outcome).toMatchObject({ kind: 'ok', status: 200, body: new Uint8Array(0) });
  });
});

describe('S-01: an address of this machine or a local network', () => {
  const spellings = [
    '127.1',
    '0177.0.0.1',
    '017700000001',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '0.0.0.0',
    '169.254.169.254',
    '100.100.100.200',
    '127.0.0.1.',
    '１２７.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::]',
    '[fe80::1]',
    '0',
    '10.1',
  ];

  it.each(spellings)('is refused as %s, without a connection', async (host) => {
    const server = await serve((_, response) => response.end('secret'), '0.0.0.0');
    const fetch = createSafeFetch({ isHttpAllowed: true, ports: [server.port] });
    expect(await reasonOf(fetch, `http://${host}:${server.port}/`)).toBe('address-not-public');
    expect(server.connections()).toBe(0);
  });

  it.each([
    'localhost',
    'LOCALHOST',
    'a.localhost',
    'printer.local',
    'db.internal',
    'redis',
    'x.lan',
  ])('is refused under the name %s, without resolving it', async (host) => {
    const resolved: string[] = [];
    const resolve = async (name: string) => {
      resolved.push(name);
      return ['127.0.0.1'];
    };
    expect(await reasonOf(client(80, { resolve }), `http://${host}/`)).toBe('local-name');
    expect(resolved).toEqual([]);
  });
});

describe('S-02: a name', () => {
  it('that resolves to a forbidden address is refused, even among public ones', async () => {
    const inside = await serve((_, response) => response.end('secret'), '127.0.0.2');
    for (const addresses of [['127.0.0.2'], ['127.0.0.1', '127.0.0.2'], ['::1', '127.0.0.1']]) {
      const fetch = client(inside.port, { resolve: async () => addresses });
      expect(await reasonOf(fetch, `http://name.test:${inside.port}/`)).toBe('address-not-public');
    }
    expect(inside.connections()).toBe(0);
  });

  it('that changes its address is resolved once, and the checked address is used', async () => {
    const outside = await serve((_, response) => response.end('public'), '127.0.0.1');
    const inside = await serve((_, response) => response.end('secret'), '127.0.0.2', outside.port);
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let calls = 0;
    const fetch = client(outside.port, { resolve: async () => answers[calls++] ?? ['127.0.0.2'] });
    const outcome = await fetch(`http://rebind.test:${outside.port}/`, SIZE);
    expect(outcome.kind === 'ok' && Buffer.from(outcome.body).toString()).toBe('public');
    expect([calls, inside.connections()]).toEqual([1, 0]);
    expect(await reasonOf(fetch, `http://rebind.test:${outside.port}/`)).toBe('address-not-public');
    expect(inside.connections()).toBe(0);
  });

  it('that is unknown, or has no address, is not resolved', async () => {
    const unknown = async () => {
      throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    };
    expect(await reasonOf(client(80, { resolve: unknown }), 'http://a.test/')).toBe(
      'name-not-resolved',
    );
    expect(await reasonOf(client(80, { resolve: async () => [] }), 'http://a.test/')).toBe(
      'name-not-resolved',
    );
  });
});

describe('S-03: a redirect', () => {
  async function redirecting(location: (port: number, hop: number) => string, status = 302) {
    const server: TestServer = await serve((request, response) => {
      const hop = Number(new URL(request.url ?? '', 'http://x').searchParams.get('hop') ?? 0);
      response.writeHead(status, { location: location(server.port, hop) }).end();
    });
    return server;
  }

  it.each([301, 302, 303, 307, 308])(
    'of status %i into a local network is refused',
    async (status) => {
      const inside = await serve((_, response) => response.end('secret'), '127.0.0.2');
      const server = await redirecting(() => `http://127.0.0.2:${inside.port}/`, status);
      const fetch = client(server.port, { ports: [server.port, inside.port] });
      expect(await reasonOf(fetch, `http://name.test:${server.port}/`)).toBe('address-not-public');
      expect(inside.connections()).toBe(0);
    },
  );

  it.each([
    'file:///etc/passwd',
    'gopher://name.test/',
    'ftp://name.test/',
    'javascript:1',
    'data:,a',
  ])('to %s is refused', async (location) => {
    const server = await redirecting(() => location);
    expect(await reasonOf(client(server.port), `http://name.test:${server.port}/`)).toBe(
      'scheme-not-allowed',
    );
  });

  it.each([
    ['//127.0.0.2:{port}/', 'address-not-public'],
    ['https://127.0.0.2:{port}/', 'address-not-public'],
    ['http://2130706434:{port}/', 'address-not-public'],
    ['http://[::ffff:127.0.0.2]:{port}/', 'address-not-public'],
    ['http://inside.test:{port}/', 'address-not-public'],
    ['\\\\127.0.0.2:{port}\\', 'address-not-public'],
    ['http://name.test@127.0.0.2:{port}/', 'credentials-in-url'],
    ['http://localhost:{port}/', 'local-name'],
    ['http://name.test:22/', 'port-not-allowed'],
    ['http://', 'redirect-not-followed'],
    [`/${'a'.repeat(3_000)}`, 'bad-url'],
  ])('to %s must obey the same rules as a first URL', async (location, reason) => {
    const inside = await serve((_, response) => response.end('secret'), '127.0.0.2');
    const server = await redirecting(() => location.replace('{port}', String(inside.port)));
    const fetch = client(server.port, {
      ports: [server.port, inside.port],
      resolve: async (host) => [host === 'inside.test' ? '127.0.0.2' : '127.0.0.1'],
    });
    expect(await reasonOf(fetch, `http://name.test:${server.port}/`)).toBe(reason);
    expect([server.requests.length, inside.connections()]).toEqual([1, 0]);
  });

  it('to the other scheme is followed, using only that scheme', async () => {
    const secure = await serve((_, response) => response.end());
    const server = await redirecting(() => `https://name.test:${secure.port}/`);
    const fetch = client(server.port, { ports: [server.port, secure.port] });
    // A listener without TLS: a connection is made, but no request is sent.
    expect(await reasonOf(fetch, `http://name.test:${server.port}/`)).toMatch(
      /^(connection-failed|broken-answer)$/,
    );
    expect([secure.connections(), secure.requests.length]).toEqual([1, 0]);
  });

  it('of twenty hops ends after the third', async () => {
    const server = await redirecting((port, hop) =>
      hop < 20 ? `/?hop=${hop + 1}` : `http://name.test:${port}/end`,
    );
    expect(await reasonOf(client(server.port), `http://name.test:${server.port}/`)).toBe(
      'too-many-redirects',
    );
    expect(server.requests).toHaveLength(4);
  });

  it('is followed three times but not a fourth time, in a circle or not', async () => {
    const chain = await redirecting((port, hop) => `http://name.test:${port}/?hop=${hop + 1}`);
    expect(await reasonOf(client(chain.port), `http://name.test:${chain.port}/`)).toBe(
      'too-many-redirects',
    );
    expect(chain.requests.map(({ line }) => line)).toEqual([
      'GET /',
      'GET /?hop=1',
      'GET /?hop=2',
      'GET /?hop=3',
    ]);
    const circle = await redirecting((port) => `http://name.test:${port}/`);
    expect(await reasonOf(client(circle.port), `http://name.test:${circle.port}/`)).toBe(
      'too-many-redirects',
    );
    expect(circle.requests).toHaveLength(4);
  });

  it('that is relative continues from its own URL, and keeps headers at the same origin', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/a/b') response.writeHead(302, { location: '../c' }).end();
      else response.end('there');
    });
    const url = `http://name.test:${server.port}/a/b`;
    const outcome = await client(server.port)(url, { ...SIZE, headers: { 'x-signature': 's' } });
    expect(outcome).toMatchObject({
      status: 200,
      redirects: 1,
      finalUrl: `http://name.test:${server.port}/c`,
    });
    expect(server.requests.map(({ headers }) => headers['x-signature'])).toEqual(['s', 's']);
  });

  it('to another origin drops the headers', async () => {
    const server = await redirecting((port) => `http://other.test:${port}/`);
    await client(server.port)(`http://name.test:${server.port}/`, {
      ...SIZE,
      headers: { authorization: 'k' },
    });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'k',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('of a POST is not followed', async () => {
    const server = await redirecting((port) => `http://name.test:${port}/other`);
    const outcome = await client(server.port)(`http://name.test:${server.port}/`, {
      ...SIZE,
      method: 'POST',
    });
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'redirect-not-followed' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('S-04: an unusual URL', () => {
  const cases: readonly (readonly [url: string, reason: string])[] = [
    ['http://user:pass@name.test/', 'credentials-in-url'],
    ['http://good.test@127.0.0.1/', 'credentials-in-url'],
    ['http://good.test#@127.0.0.1/', 'connection-failed'],
    ['http:\\\\127.0.0.9\\', 'address-not-public'],
    ['http://127.0.\t0.9/', 'address-not-public'],
    ['http://name.test:22/', 'port-not-allowed'],
    ['http://name.test:6379/', 'port-not-allowed'],
    ['http://localhost./', 'local-name'],
    ['http://name.test../', 'local-name'],
    ['http://①②⑦.0.0.9/', 'address-not-public'],
    ['file:///etc/passwd', 'scheme-not-allowed'],
    ['not a url', 'bad-url'],
    ['', 'bad-url'],
    ['http://', 'bad-url'],
    [`http://name.test/${'a'.repeat(3_000)}`, 'bad-url'],
  ];

  it.each(cases)('%j is %s', async (url, reason) => {
    // Port 9 of 127.0.0.1 stands for a public host without a listener.
    const fetch = client(80, { connectTimeoutMs: 500 });
    expect(await reasonOf(fetch, url)).toBe(reason);
  });

  it('with http: is refused unless it is allowed', async () => {
    expect(await reasonOf(client(80, { isHttpAllowed: false }), 'http://name.test/')).toBe(
      'scheme-not-allowed',
    );
  });

  it('with a name in other scripts is requested in its ASCII form', async () => {
    const resolved: string[] = [];
    const resolve = async (host: string) => {
      resolved.push(host);
      return [];
    };
    await client(80, { resolve })('http://bücher.test./', SIZE);
    expect(resolved).toEqual(['xn--bcher-kva.test']);
  });
});

describe('S-14: content of IPFS', () => {
  const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';

  it('is requested from the next gateway if one is busy or broken', async () => {
    const bodies: Record<string, [number, string]> = {
      'a.test': [429, ''],
      'b.test': [504, ''],
      'c.test': [200, 'found'],
    };
    const server = await serve((request, response) => {
      const [status, body] = bodies[request.headers.host?.split(':')[0] ?? ''] ?? [500, ''];
      response.writeHead(status).end(body);
    });
    const ipfs = ['a', 'b', 'c'].map((name) => `http://${name}.test:${server.port}`);
    const fetch = client(server.port, { gateways: { ipfs, arweave: [] } });
    for (const url of [`ipfs://${cid}/1.json`, `https://ipfs.io/ipfs/${cid}/1.json`]) {
      const outcome = await fetch(url, SIZE);
      expect(outcome).toMatchObject({
        kind: 'ok',
        status: 200,
        canonicalUrl: `ipfs://${cid}/1.json`,
      });
      expect(outcome.kind === 'ok' && Buffer.from(outcome.body).toString()).toBe('found');
    }
    expect(server.requests.slice(0, 3).map(({ headers }) => headers.host)).toEqual(
      ipfs.map((origin) => origin.slice('http://'.length)),
    );
  });

  it('is not requested from a busy gateway until its Retry-After has passed', async () => {
    let busy = true;
    const server = await serve((request, response) => {
      const isBusy = busy && request.headers.host?.startsWith('a.test');
      response.writeHead(isBusy ? 429 : 200, { 'retry-after': '60' }).end();
    });
    let nowMs = 0;
    const clock = { nowMs: () => nowMs, sleep: async () => undefined };
    const ipfs = ['a', 'b'].map((name) => `http://${name}.test:${server.port}`);
    const fetch = client(server.port, { clock, gateways: { ipfs, arweave: [] } });
    for (const timeMs of [0, 59_999, 60_000]) {
      nowMs = timeMs;
      expect(await fetch(`ipfs://${cid}`, SIZE)).toMatchObject({ kind: 'ok', status: 200 });
      busy = false;
    }
    expect(server.requests.map(({ headers }) => headers.host?.slice(0, 6))).toEqual([
      'a.test',
      'b.test',
      'b.test',
      'a.test',
    ]);
  });

  it("that no gateway has gets the last gateway's answer", async () => {
    const server = await serve((_, response) => response.writeHead(504).end());
    const gateways = {
      ipfs: [`http://a.test:${server.port}`, `http://b.test:${server.port}`],
      arweave: [],
    };
    const outcome = await client(server.port, { gateways })(`ipfs://${cid}`, SIZE);
    expect(outcome).toMatchObject({ kind: 'ok', status: 504 });
    expect(server.requests).toHaveLength(2);
  });
});

describe('Requests to one host', () => {
  it('run two at a time while others wait', async () => {
    let [open, most] = [0, 0];
    const server = await serve((_, response) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        response.end();
      }, 20);
    });
    const fetch = client(server.port, { perHostMax: 2 });
    const outcomes = await Promise.all(
      Array.from({ length: 7 }, (_, at) => fetch(`http://name.test:${server.port}/${at}`, SIZE)),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(7).fill('ok'));
    expect(most).toBe(2);
  });

  it('are refused when too many already wait', async () => {
    const server = await serve((_, response) => setTimeout(() => response.end(), 50));
    const fetch = client(server.port, { perHostMax: 1, perHostWaitingMax: 1 });
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, () => reasonOf(fetch, `http://name.test:${server.port}/`)),
    );
    expect(outcomes).toEqual(['ok', 'ok', 'host-busy']);
  });
});
