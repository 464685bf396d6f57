import { afterEach, describe, expect, test } from 'vitest';
import { dramaticLife, SocialScene } from '../../../tests/support/social-scene.ts';
import type { PostRecord } from '../../posts/social-post.ts';
import { CALM_POSTS, type PostFaultSettings } from './post-faults.ts';
import { PostServer, type PostServerOptions } from './post-server.ts';

const settings = { hostileShare: 0.1, editShare: 0, deleteShare: 0 };
const records = new SocialScene('server', [dramaticLife('HTTP')], settings)
  .run(10)
  .map(({ record }) => record);

let server: PostServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

interface Page {
  readonly records: readonly PostRecord[];
  readonly next: string;
  readonly hasMore: boolean;
}

async function serve(options: PostServerOptions = {}): Promise<string> {
  server = new PostServer({ requestsPerMinute: 1_000_000, ...options });
  server.publish(records);
  return `http://127.0.0.1:${await server.listen()}`;
}

async function pageOf(base: string, since: string | null, limit: number): Promise<Page> {
  const cursor = since === null ? '' : `since=${since}&`;
  const response = await fetch(`${base}/posts?${cursor}limit=${limit}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Page;
}

/** Reads all pages like a collector. */
async function readAll(base: string, limit: number, from: string | null = null): Promise<Page> {
  const all: PostRecord[] = [];
  for (let since = from; ; ) {
    const page = await pageOf(base, since, limit);
    expect(page.records.length).toBeLessThanOrEqual(limit);
    all.push(...page.records);
    since = page.next;
    if (!page.hasMore) return { ...page, records: all };
  }
}

async function change(base: string, faults: object): Promise<Response> {
  return await fetch(`${base}/faults`, { method: 'POST', body: JSON.stringify(faults) });
}

function faulty(faults: Partial<PostFaultSettings>): PostServerOptions {
  return { faults: { ...CALM_POSTS, ...faults } };
}

describe('the post server', () => {
  test.each([7, 100, 1_000])('returns every record once, in pages of %i', async (limit) => {
    const base = await serve();
    expect(records.length).toBeGreaterThan(200);
    expect((await readAll(base, limit)).records).toEqual(records);
  });

  test("continues at a reader's cursor when more is published", async () => {
    const base = await serve();
    const { next } = await readAll(base, 100);
    expect(await pageOf(base, next, 100)).toEqual({ records: [], next, hasMore: false });
    const more = records.map((record) => ({ ...record, postId: `${record.postId}-again` }));
    server?.publish(more);
    expect((await readAll(base, 100, next)).records).toEqual(more);
  });

  test('returns a hundred records by default', async () => {
    const response = await fetch(`${await serve()}/posts`);
    expect(((await response.json()) as Page).records).toEqual(records.slice(0, 100));
  });

  test('drops the oldest records beyond its window and reports it', async () => {
    const base = await serve({ windowRecords: 100 });
    const response = await fetch(`${base}/posts?since=0`);
    expect(response.status).toBe(410);
    const { oldest } = (await response.json()) as { oldest: string };
    expect((await readAll(base, 1_000, oldest)).records).toEqual(records.slice(-100));
  });

  test.each([
    'limit=0',
    'limit=1001',
    'limit=ten',
    'since=-1',
    'since=1.0',
    'since=next',
    'since=999999999',
  ])('rejects the query %s', async (query) => {
    expect((await fetch(`${await serve()}/posts?${query}`)).status).toBe(400);
  });

  test('rejects other paths and other methods', async () => {
    const base = await serve();
    expect((await fetch(`${base}/`)).status).toBe(404);
    expect((await fetch(`${base}/posts`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${base}/faults`, { method: 'PUT' })).status).toBe(405);
  });

  test('answers 401 without its token, and with it once it is revoked', async () => {
    const base = await serve({ token: 'good' });
    const statusWith = async (authorization: string) =>
      (await fetch(`${base}/posts`, { headers: { authorization } })).status;
    expect((await fetch(`${base}/posts`)).status).toBe(401);
    expect(await statusWith('Bearer bad')).toBe(401);
    expect(await statusWith('Bearer good')).toBe(200);
    await change(base, { isTokenRevoked: true });
    expect(await statusWith('Bearer good')).toBe(401);
    await fetch(`${base}/faults`, { method: 'DELETE' });
    expect(await statusWith('Bearer good')).toBe(200);
  });

  test('answers 429 above the rate, until the minute is over', async () => {
    let nowMs = 0;
    const clock = { nowMs: () => nowMs, sleep: () => Promise.resolve() };
    const base = await serve({ requestsPerMinute: 2, clock });
    const ask = async () => {
      const { status, headers } = await fetch(`${base}/posts`);
      return [status, headers.get('retry-after')];
    };
    expect([await ask(), await ask()]).toEqual([
      [200, null],
      [200, null],
    ]);
    nowMs = 47_500;
    expect(await ask()).toEqual([429, '13']);
    nowMs = 60_000;
    expect(await ask()).toEqual([200, null]);
  });

  test('answers 429 at the configured rate, and a reader that retries misses nothing', async () => {
    const base = await serve(faulty({ tooManyRequests: 0.5, retryAfterSeconds: 7 }));
    const all: PostRecord[] = [];
    let refused = 0;
    for (let since = '0', hasMore = true; hasMore; ) {
      const response = await fetch(`${base}/posts?since=${since}&limit=10`);
      if (response.status === 429) {
        expect(response.headers.get('retry-after')).toBe('7');
        refused++;
        continue;
      }
      const page = (await response.json()) as Page;
      all.push(...page.records);
      ({ next: since, hasMore } = page);
    }
    expect(all).toEqual(records);
    expect(refused).toBeGreaterThan(5);
  });

  test.each([3, 100])(
    'sends each post twice when all are duplicated, in pages of %i',
    async (limit) => {
      const base = await serve(faulty({ duplicate: 1 }));
      const read = (await readAll(base, limit)).records;
      expect(read).toEqual(records.flatMap((record) => [record, record]));
    },
  );

  test('applies faults at their rate, the same in overlapping pages, and still sends all posts', async () => {
    const base = await serve(faulty({ duplicate: 0.3, edited: 0.3, deleted: 0.3 }));
    const read = (await readAll(base, 100)).records;
    expect((await readAll(base, 11)).records).toEqual(read);
    const named = new Map(
      read.flatMap((record) => (record.kind === 'post' ? [[record.postId, record]] : [])),
    );
    expect([...named.values()]).toEqual(records);
    const count = (kind: PostRecord['kind']) => read.filter((each) => each.kind === kind).length;
    const shares = [count('post') - records.length, count('edit'), count('delete')];
    for (const share of shares) {
      expect(share / records.length).toBeGreaterThan(0.2);
      expect(share / records.length).toBeLessThan(0.4);
    }
    for (const record of read) {
      if (record.kind !== 'edit') continue;
      expect(record.text.trim()).toBe((named.get(record.postId) as { text: string }).text.trim());
    }
  });

  test('can be reconfigured while it is read, and still sends each post', async () => {
    const base = await serve();
    await change(base, { duplicate: 1 });
    const first = await pageOf(base, null, 11);
    expect(first.next).toBe('5.1');
    await fetch(`${base}/faults`, { method: 'DELETE' });
    expect((await readAll(base, 100, first.next)).records).toEqual(records.slice(6));
  });

  test.each([
    [{ duplicates: 1 }, 'duplicates is no fault'],
    [{ duplicate: 2 }, 'duplicate must be a rate from 0 to 1'],
    [{ seed: 1 }, 'seed must be a text'],
    [{ isTokenRevoked: 1 }, 'isTokenRevoked must be true or false'],
    [{ retryAfterSeconds: 0.5 }, 'retryAfterSeconds must be a whole number from 0 to 3600'],
    [[], 'faults must be a JSON object'],
  ])('rejects the faults %j and does not change', async (faults, message) => {
    const base = await serve();
    const response = await change(base, faults);
    expect([response.status, await response.json()]).toEqual([400, { error: message }]);
    expect(await (await fetch(`${base}/faults`)).json()).toEqual(CALM_POSTS);
  });
});
