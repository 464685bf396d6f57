import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CollectorRun,
  MINT,
  NOTHING,
  START_MS,
  WANTED,
} from '../../../../tests/support/collector-run.ts';
import { commit, DID, FakeBluesky } from '../../../../tests/support/fake-bluesky.ts';
import { createBlueskyCollector } from './bluesky-collector.ts';

const CREATED = { createdAt: new Date(START_MS - 2_000).toISOString() };

let bluesky: FakeBluesky;
let run: CollectorRun;

beforeEach(async () => {
  run = new CollectorRun(WANTED, START_MS);
  bluesky = await FakeBluesky.start(() => run.clock.nowMs());
});
afterEach(async () => {
  await run.stop();
  await bluesky.close();
});

function collector(limits: { silenceMs?: number; pingMs?: number } = {}) {
  return createBlueskyCollector({
    // A URL without a path means the documented path.
    jetstreamUrls: [new URL(bluesky.url).origin],
    profiles: { baseUrl: bluesky.appview.url, requestsPerMinute: 6_000 },
    silenceMs: 5_000,
    pingMs: 2_000,
    batchMs: 5,
    ...limits,
  });
}

async function connected(): Promise<void> {
  run.start(collector());
  await run.until(() => bluesky.sockets.length === 1);
}

function about(text: string) {
  return { ...CREATED, text: `${text} ${MINT}` };
}

describe('the Bluesky collector', () => {
  it('emits posts with wanted names, with their links and authors', async () => {
    bluesky.profiles.set(DID, {
      did: DID,
      handle: 'ann.bsky.social',
      followersCount: 5_000,
      followsCount: 100,
      postsCount: 321,
      createdAt: '2024-02-01T00:00:00.000Z',
    });
    await connected();
    const uri = `https://pump.fun/coin/${MINT}`;
    const features = [{ $type: 'app.bsky.richtext.facet#link', uri }];
    bluesky.publish(commit(START_MS - 1_000, 'other', { ...CREATED, text: 'good morning' }));
    bluesky.publish(
      commit(START_MS - 900, 'mine', { ...CREATED, text: 'gm', facets: [{ features }] }),
    );
    await run.until(() => run.events.length === 1);
    expect(run.posts[0]).toEqual({
      platform: 'bluesky',
      postId: `${DID}/mine`,
      author: {
        id: DID,
        handle: 'ann.bsky.social',
        followers: 5_000,
        following: 100,
        createdAtMs: Date.UTC(2024, 1, 1),
        postCount: 321,
      },
      text: 'gm',
      url: `https://bsky.app/profile/${DID}/post/mine`,
      links: [uri],
      reposts: null,
      createdAtMs: START_MS - 2_000,
    });
    const [query] = bluesky.connections;
    expect(bluesky.paths).toEqual(['/subscribe']);
    expect(query?.getAll('wantedCollections')).toEqual(['app.bsky.feed.post']);
    expect(query?.get('cursor')).toBeNull();
  });

  it('emits edits even without wanted names, and deletions, and nothing twice', async () => {
    await connected();
    bluesky.publish(commit(START_MS - 900, 'a', about('one')));
    bluesky.publish(commit(START_MS - 900, 'a', about('one')));
    bluesky.publish(commit(START_MS - 800, 'a', { ...CREATED, text: 'no more' }, 'update'));
    bluesky.publish(commit(START_MS - 700, 'a', null, 'delete'));
    bluesky.publish(commit(START_MS - 700, 'a', null, 'delete'));
    await run.until(() => run.counts.repeats === 2);
    expect(run.posts.map(({ text }) => text)).toEqual([`one ${MINT}`, 'no more']);
    expect(run.events[2]).toEqual({ kind: 'deleted', platform: 'bluesky', postId: `${DID}/a` });
    expect(run.events.length).toBe(3);
  });

  it('continues after a kill a few seconds before its cursor, so that nothing is lost', async () => {
    await connected();
    bluesky.publish(commit(START_MS - 900, 'a', about('one')));
    await run.until(() => run.cursor !== null);
    await run.stop();
    bluesky.publish(commit(START_MS - 100, 'b', about('while away')));
    run = new CollectorRun(WANTED, START_MS + 60_000, run.cursor);
    run.start(collector());
    await run.until(() => run.events.length === 2);
    expect(run.posts.map(({ postId }) => postId)).toEqual([`${DID}/a`, `${DID}/b`]);
    expect(bluesky.connections[1]?.get('cursor')).toBe(String((START_MS - 900 - 5_000) * 1_000));
  });

  it('reconnects after a cut, and emits replayed posts once', async () => {
    await connected();
    bluesky.publish(commit(START_MS - 900, 'a', about('one')));
    await run.until(() => run.events.length === 1);
    for (const socket of bluesky.sockets) socket.terminate();
    await run.until(() => bluesky.connections.length === 2);
    bluesky.publish(commit(START_MS - 800, 'b', about('two')));
    await run.until(() => run.events.length === 2);
    expect(run.counts).toMatchObject({ posts: 2, repeats: 1 });
  });

  it('reconnects when no data arrive, and when pings are not answered', async () => {
    run.start(collector({ silenceMs: 80 }));
    await run.until(() => bluesky.connections.length >= 2);
    await run.stop();
    expect(JSON.stringify(run.statuses)).toContain('nothing came for 80 ms');
    run = new CollectorRun(WANTED, START_MS);
    bluesky.onConnection = (socket) => socket.pause();
    run.start(collector({ pingMs: 40 }));
    await run.until(() => JSON.stringify(run.statuses).includes('no answer within 40 ms'));
  });

  it('steps past a frame that is too large, even if each replay contains it', async () => {
    const giant = { ...commit(START_MS - 500, 'giant', about('x')), pad: 'y'.repeat(300_000) };
    const events = [
      commit(START_MS - 900, 'a', about('before')),
      giant,
      commit(START_MS + 3_000, 'b', about('behind')),
    ];
    bluesky.onConnection = (socket, at) => {
      const from = Number(bluesky.connections[at]?.get('cursor') ?? 0);
      for (const event of events) if (event.time_us >= from) socket.send(JSON.stringify(event));
    };
    run.start(collector());
    await run.until(() => run.posts.some(({ postId }) => postId === `${DID}/b`));
    expect(run.posts.map(({ postId }) => postId)).toEqual([`${DID}/a`, `${DID}/b`]);
  });

  it('skips invalid events, and does not move its cursor into the future', async () => {
    await connected();
    const [socket] = bluesky.sockets;
    for (const text of ['{', 'null', '[]', '7', '{"time_us":"1"}', '['.repeat(100_000)]) {
      socket?.send(text);
    }
    socket?.send(Buffer.from('binary'), { binary: true });
    bluesky.publish({ ...commit(START_MS, 'k', about('x')), did: 'did:plc:../..' });
    bluesky.publish(commit(START_MS, 'k/../k', about('x')));
    bluesky.publish(commit(START_MS, 'n', { text: 5 }));
    bluesky.publish(commit(START_MS, 'o', null, 'explode'));
    bluesky.publish({ did: DID, time_us: START_MS * 1_000, kind: 'identity' });
    bluesky.publish(commit(START_MS + 9e9, 'future', about('from a broken server')));
    const dates = { text: MINT, createdAt: '2031-01-01T00:00:00Z' };
    bluesky.publish(commit(START_MS - 300, 'dated', dates));
    await run.until(() => run.events.length === 2);
    // Six invalid texts, and four invalid commits.
    expect(run.counts.malformed).toBe(10);
    expect(run.posts[1]).toMatchObject({ postId: `${DID}/dated`, createdAtMs: START_MS - 300 });
    expect(run.posts[0]?.createdAtMs).toBe(START_MS - 2_000);
    await run.until(() => run.cursor !== null);
    expect(run.cursor).toBe(JSON.stringify({ timeUs: START_MS * 1_000 }));
  });

  it('switches to the next server when one refuses or is down', async () => {
    const settings = { profiles: null, silenceMs: 5_000, pingMs: 2_000, batchMs: 5 };
    const refusing = bluesky.appview.url.replace('http', 'ws');
    const jetstreamUrls = [`${refusing}/secret`, 'ws://127.0.0.1:9/', bluesky.url];
    run.start(createBlueskyCollector({ jetstreamUrls, ...settings }));
    await run.until(() => bluesky.sockets.length === 1);
    bluesky.publish(commit(START_MS - 900, 'a', about('one')));
    await run.until(() => run.events.length === 1);
    const messages = run.statuses.map(({ state }) =>
      state.kind === 'waiting' ? state.message : '',
    );
    expect(messages).toContain('Bluesky: the server answered with status 200.');
    expect(messages).toContain('Bluesky: the connection failed (ECONNREFUSED).');
    expect(JSON.stringify(messages)).not.toContain('secret');
  });

  it('counts a gap when a server replays only from a later time', async () => {
    run = new CollectorRun(WANTED, START_MS, JSON.stringify({ timeUs: (START_MS - 9e8) * 1_000 }));
    run.start(collector());
    await run.until(() => bluesky.sockets.length === 1);
    bluesky.publish(commit(START_MS - 900, 'a', about('one')));
    bluesky.publish(commit(START_MS - 800, 'b', about('two')));
    await run.until(() => run.events.length === 2);
    expect(run.counts.gaps).toBe(1);
  });

  it('does not connect while nothing is wanted', async () => {
    run.wanted = NOTHING;
    run.start(collector());
    await run.until(() => run.state?.kind === 'waiting' && run.state.reason === 'nothing-wanted');
    expect(bluesky.connections.length).toBe(0);
    run.wanted = WANTED;
    await run.until(() => bluesky.connections.length === 1);
  });

  it('emits posts without author data while the AppView refuses or is down', async () => {
    const path = '/xrpc/';
    const headers = { 'ratelimit-reset': String(START_MS / 1_000 + 3_600) };
    bluesky.appview.faults.push({ path, reply: { kind: 'json', status: 429, headers, json: {} } });
    await connected();
    bluesky.publish(commit(START_MS - 900, 'a', about('one')));
    await run.until(() => run.events.length === 1);
    bluesky.publish({ ...commit(START_MS - 800, 'b', about('two')), did: `${DID}2` });
    await run.until(() => run.events.length === 2);
    expect(run.posts.map(({ author }) => author.followers)).toEqual([null, null]);
    expect(bluesky.appview.requests.length).toBe(1);
  });

  it('requests profiles in batches, each account once, and ignores absurd counts', async () => {
    const accounts = Array.from({ length: 60 }, (_, at) => `${DID}${at}`);
    for (const did of accounts) {
      bluesky.profiles.set(did, { did, handle: 'h', followersCount: 1e308, followsCount: -1 });
    }
    bluesky.profiles.set(`${DID}5`, { did: 'did:plc:somebodyelse', followersCount: 9 });
    bluesky.onConnection = (socket) => {
      for (const did of [...accounts, ...accounts]) {
        const event = { ...commit(START_MS - 900, `${did.length}`, about(did)), did };
        socket.send(JSON.stringify(event));
      }
    };
    run.start(collector());
    await run.until(() => run.events.length === 60);
    const asked = bluesky.appview.requests.flatMap(({ query }) => query.getAll('actors'));
    expect(asked.length).toBe(60);
    expect(new Set(asked)).toEqual(new Set(accounts));
    expect(new Set(run.posts.map(({ author }) => author.followers))).toEqual(new Set([null]));
  });

  it('applies backpressure while its receiver is busy, and loses nothing', async () => {
    let release: () => void = () => undefined;
    const busy = new Promise<void>((resolve) => {
      release = resolve;
    });
    run.onEmit = async () => await busy;
    const padding = ' gm'.repeat(1_000);
    let sender: { readonly bufferedAmount: number } = { bufferedAmount: 0 };
    bluesky.onConnection = (socket) => {
      sender = socket;
      for (let at = 0; at < 8_000; at++) {
        const post = about(`post ${at}${padding}`);
        socket.send(JSON.stringify(commit(START_MS - 900, `p${at}`, post)));
      }
    };
    run.start(collector());
    await run.until(() => bluesky.sockets.length === 1);
    let before = -1;
    while (before !== sender.bufferedAmount) {
      before = sender.bufferedAmount;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(run.events.length).toBe(0);
    // The collector and the network buffer a bounded part of 25 megabytes, the server the rest.
    expect(sender.bufferedAmount).toBeGreaterThan(5_000_000);
    release();
    await run.until(() => run.events.length === 8_000);
    expect(Math.max(...run.batches)).toBeLessThanOrEqual(100);
  });
});
