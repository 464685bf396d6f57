import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { SharingReplica } from '../../tests/support/sharing-replica.ts';
import { listenHttp } from '../../tests/support/stranger-listeners.ts';
import { tokenAt } from '../../tests/support/test-gathering.ts';
import { MemoryStepLog } from '../cluster/memory-step-log.ts';
import type { PostEvent } from '../model/social-post.ts';
import type { TokenUpdate } from './messages.ts';

const NAMES = ['cat', 'dog', 'eel', 'fox', 'gnu'];
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 6_000; tries++) {
    if (isSo()) return;
    await delay(5);
  }
  throw new Error('it did not come to be');
}

/** A lease that the test gives and takes. */
class GivenLease {
  isHeld = false;
  /** Whether the servers renew it. */
  isRenewed = true;

  async confirm(): Promise<boolean> {
    return this.isHeld && this.isRenewed;
  }
}

/** Documents of tokens, each with a link that answers. */
async function outside() {
  const server = await listenHttp((request, response) => {
    const { url = '' } = request;
    const name = /^\/(\w+)\.json$/.exec(url)?.[1];
    if (name === undefined) response.end('hello');
    else response.end(JSON.stringify({ name, website: `${at}/site/${name}` }));
  });
  const at = `http://127.0.0.1:${server.port}`;
  closing.push(() => server.close());
  const tokens = NAMES.map((name) => tokenAt(address(name), `${at}/${name}.json`));
  const urls = () => server.requests.map(({ line }) => line.replace('GET ', '')).sort();
  return { port: server.port, tokens, urls };
}

const ALL_URLS = NAMES.flatMap((name) => [`/${name}.json`, `/site/${name}`]).sort();

interface Opened {
  readonly replica: SharingReplica;
  readonly lease: GivenLease;
  readonly dataDir: string;
}

function open(
  name: string,
  log: MemoryStepLog,
  { port, tokens }: { readonly port: number; readonly tokens: readonly TokenUpdate[] },
  dataDir = temporaryFolder(),
): Opened {
  const lease = new GivenLease();
  const replica = new SharingReplica({
    ...{ name, log, dataDir, tokens, lease: () => lease, ports: [port] },
  });
  closing.push(() => replica.close());
  return { replica, lease, dataDir };
}

function isAll({ replica }: Opened): boolean {
  return (replica.rows().links?.length ?? 0) === NAMES.length;
}

async function untilEqual(one: Opened, other: Opened): Promise<void> {
  const rows = ({ replica }: Opened) =>
    JSON.stringify(replica.rows(), (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    );
  await until(() => rows(one) === rows(other));
}

describe('gathering among several replicas', () => {
  it('asks outside once, and stores the same on each', async () => {
    const web = await outside();
    const log = new MemoryStepLog();
    const [a, b] = [open('a', log, web), open('b', log, web)];
    a.lease.isHeld = true;
    await until(() => isAll(a) && isAll(b));
    await untilEqual(a, b);
    expect(web.urls()).toEqual(ALL_URLS);
    for (const token of web.tokens) {
      const factsOf = ({ replica }: Opened) => replica.factsOf(token.mint);
      expect(factsOf(b)).toEqual(factsOf(a));
      expect(factsOf(b).links[0]?.statusCode).toBe(200);
    }
    expect(a.replica.offchain.status).toMatchObject({ isGathering: true, gatherer: 'a' });
    expect(b.replica.offchain.status).toMatchObject({ isGathering: false, gatherer: 'a' });
    await until(() => b.replica.offchain.status.storedSeq === a.replica.offchain.status.storedSeq);
  });

  it('goes on elsewhere with what is stored, and asks for nothing again', async () => {
    const web = await outside();
    const log = new MemoryStepLog();
    const [a, b] = [open('a', log, web), open('b', log, web)];
    a.lease.isHeld = true;
    await until(() => isAll(a) && isAll(b));
    a.lease.isHeld = false;
    b.lease.isHeld = true;
    await until(() => b.replica.offchain.status.isGathering);
    const next = tokenAt(address('hen'), web.tokens[0]?.uri?.replace('cat', 'hen') ?? null);
    b.replica.feed([...web.tokens, next]);
    await until(() => a.replica.rows().links?.length === NAMES.length + 1);
    await untilEqual(a, b);
    expect(web.urls()).toEqual([...ALL_URLS, '/hen.json', '/site/hen'].sort());
    expect(a.replica.offchain.status.gatherer).toBe('b');
  });

  it('stores nothing of a gatherer whose lease is not renewed', async () => {
    const web = await outside();
    const log = new MemoryStepLog();
    const a = open('a', log, { ...web, tokens: [] });
    a.lease.isHeld = true;
    await until(() => a.replica.offchain.status.isGathering);
    a.lease.isRenewed = false;
    a.replica.feed(web.tokens);
    await until(() => !a.replica.offchain.status.isGathering);
    expect((await log.bounds()).lastSeq).toBe(1);
    expect(a.replica.rows().tokens).toEqual([]);
    expect(web.urls()).toEqual([]);
  });

  it('counts posts that clients sent to any replica, once on each', async () => {
    const web = await outside();
    const log = new MemoryStepLog();
    const tracked = [{ mint: address('cat'), trackingSinceMs: 0, symbol: 'CAT', isLiquid: true }];
    const [a, b] = [open('a', log, web), open('b', log, web)];
    a.lease.isHeld = true;
    await until(() => a.replica.offchain.status.isGathering);
    a.replica.feed(web.tokens, tracked);
    await until(() => b.replica.rows().social_tokens?.length === 1);
    await until(() => b.replica.put([post('one'), post('two')]));
    const postsOf = ({ replica }: Opened) => replica.rows().social_posts?.length ?? 0;
    await until(() => postsOf(a) === 2 && postsOf(b) === 2);
    await untilEqual(a, b);
    expect(a.replica.rows().received_posts).toEqual([]);
    expect(b.replica.waitingPosts()).toEqual([]);
  });

  it('brings a new replica, and one that was away, to the same rows', async () => {
    const web = await outside();
    const log = new MemoryStepLog();
    const a = open('a', log, web);
    const away = open('b', log, web);
    a.lease.isHeld = true;
    await until(() => away.replica.offchain.status.storedSeq > 2);
    await away.replica.close();
    await until(() => isAll(a));
    const back = open('b', log, web, away.dataDir);
    const fresh = open('c', log, web);
    await untilEqual(a, back);
    await untilEqual(a, fresh);
  });

  it('says why it stops where messages are missing, and keeps what it has', async () => {
    const web = await outside();
    const log = new MemoryStepLog();
    const a = open('a', log, web);
    a.lease.isHeld = true;
    await until(() => isAll(a));
    log.forgetBefore(3);
    const b = open('b', log, web);
    await until(() => b.replica.stopped.length === 1);
    expect(b.replica.stopped[0]).toMatch(/before 3 were removed/);
    b.lease.isHeld = true;
    expect(b.replica.offchain.status).toMatchObject({ isGathering: false, storedSeq: 0 });
  });

  it('passes over messages that no store can use, on every replica', async () => {
    const web = await outside();
    const log = new MemoryStepLog();
    const [a, b] = [open('a', log, { ...web, tokens: [] }), open('b', log, { ...web, tokens: [] })];
    a.lease.isHeld = true;
    await until(() => b.replica.offchain.status.storedSeq === 1);
    const head = { version: 1, schema: 5, logId: await logIdOf(log), id: 'x', writer: 'x' };
    const changes = { ...head, kind: 'changes', claim: 1, part: 0, parts: 1 };
    await log.append({ head: 'hello', body: Buffer.from('x') }, { seq: 1, id: '1' });
    const line = JSON.stringify(changes);
    await log.append({ head: line, body: Buffer.from('hello') }, { seq: 2, id: '2' });
    await until(() => b.replica.offchain.status.storedSeq === 3);
    a.replica.feed(web.tokens);
    await until(() => isAll(a) && isAll(b));
    await untilEqual(a, b);
    expect(b.replica.offchain.messages.unusable).toBe(1);
    expect([...a.replica.lost, ...b.replica.lost]).toEqual([]);
  });
});

async function logIdOf(log: MemoryStepLog): Promise<string> {
  const head: { logId: string } = JSON.parse((await log.headAt(1)) ?? '');
  return head.logId;
}

function post(postId: string): PostEvent {
  const nowMs = Date.now();
  const author = { followers: 9, following: 1, createdAtMs: 0, postCount: 5, handle: 'x' };
  return {
    kind: 'post',
    post: {
      ...{ platform: 'import', postId, text: `$CAT is good ${postId}`, url: null, links: [] },
      ...{ reposts: null, createdAtMs: nowMs, author: { ...author, id: `author of ${postId}` } },
    },
  };
}
