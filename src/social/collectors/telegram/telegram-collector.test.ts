import { describe, expect, it } from 'vitest';
import {
  CollectorRun,
  eachScene,
  NOTHING,
  START_MS,
} from '../../../../tests/support/collector-run.ts';
import { FakeTelegram } from '../../../../tests/support/fake-telegram.ts';
import { createTelegramCollector } from './telegram-collector.ts';

const SECOND = START_MS / 1_000;

const scene = eachScene((nowMs) => FakeTelegram.start(nowMs));

function collector(botToken = scene.fake.token) {
  const baseUrl = scene.fake.platform.url;
  return createTelegramCollector({
    baseUrl,
    botToken,
    longPollSeconds: 1,
    requestsPerMinute: 6_000,
  });
}

function asked() {
  return scene.fake.platform.asked(scene.fake.path('getUpdates'));
}

describe('the Telegram bot', () => {
  it('emits posts of public channels, with their member counts', async () => {
    scene.fake.members.set('-1001', 4_321);
    scene.fake.post(10, 5, 'look at this', SECOND - 30);
    scene.run.start(collector());
    await scene.run.until(() => scene.run.events.length === 1);
    expect(scene.run.posts).toEqual([
      {
        platform: 'telegram',
        postId: '-1001:5',
        author: {
          id: '-1001',
          handle: 'calls',
          followers: 4_321,
          following: null,
          createdAtMs: null,
          postCount: null,
        },
        text: 'look at this',
        url: 'https://t.me/calls/5',
        links: [],
        reposts: null,
        createdAtMs: START_MS - 30_000,
      },
    ]);
    const kinds: unknown = JSON.parse(asked()[0]?.query.get('allowed_updates') ?? '[]');
    expect(kinds).toContain('edited_channel_post');
  });

  it('emits messages of public groups, with their links, and nothing private', async () => {
    const from = { id: 42, is_bot: false, username: 'ann' };
    const group = { id: -1002, type: 'supergroup', username: 'talk' };
    const entities = [{ type: 'text_link', offset: 0, length: 4, url: 'https://a.xyz/b' }];
    const message = { message_id: 1, date: SECOND - 5, from, text: 'here', entities };
    scene.fake.updates = [
      { update_id: 1, message: { ...message, chat: group } },
      { update_id: 2, message: { ...message, chat: { id: 42, type: 'private', username: 'ann' } } },
      { update_id: 3, message: { ...message, chat: { id: -3, type: 'supergroup' } } },
      { update_id: 4, message: { ...message, chat: { id: -4, type: 'group', username: 'no' } } },
      { update_id: 5, message: { message_id: 2, date: SECOND, from, chat: group, photo: [] } },
    ];
    scene.run.start(collector());
    await scene.run.until(() => scene.run.cursor !== null);
    expect(scene.run.posts.map(({ postId, links, author }) => [postId, links, author.id])).toEqual([
      ['-1002:1', ['https://a.xyz/b'], '42'],
    ]);
    expect(scene.run.counts.malformed).toBe(0);
  });

  it('emits an edited post again, and an unchanged one only once', async () => {
    scene.fake.post(1, 5, 'one', SECOND);
    scene.fake.post(2, 5, 'one', SECOND);
    scene.fake.post(3, 5, 'two', SECOND, 'edited_channel_post');
    scene.run.start(collector());
    await scene.run.until(() => scene.run.events.length === 2);
    expect(scene.run.posts.map(({ postId, text }) => [postId, text])).toEqual([
      ['-1001:5', 'one'],
      ['-1001:5', 'two'],
    ]);
  });

  it('acknowledges updates only after they are saved, so a kill in between loses none', async () => {
    scene.fake.post(7, 1, 'first', SECOND);
    scene.run.onCursor = () => {
      // Killed before the cursor is saved: nothing after this happens.
      void scene.run.stop();
      return false;
    };
    scene.run.start(collector());
    await scene.run.until(() => scene.run.events.length === 1);
    await scene.run.stop();
    expect(scene.fake.updates.length).toBe(1);
    scene.run = new CollectorRun(NOTHING, START_MS, scene.run.cursor);
    scene.run.start(collector());
    await scene.run.until(() => scene.run.events.length === 1);
    await scene.run.until(() => asked().at(-1)?.query.get('offset') === '8');
    expect(scene.fake.updates.length).toBe(0);
  });

  it('starts without an offset after a week, when update ids restart', async () => {
    const cursor = JSON.stringify({ next: 900_000, atMs: START_MS - 8 * 86_400_000 });
    scene.fake.post(3, 1, 'a new count', SECOND);
    scene.run = new CollectorRun(NOTHING, START_MS, cursor);
    scene.run.start(collector());
    await scene.run.until(() => scene.run.events.length === 1);
    expect(asked()[0]?.query.has('offset')).toBe(false);
  });

  it.each([401, 404])(
    'stops for a token that Telegram answers with %s, and never prints it',
    async (status) => {
      const json = { ok: false, error_code: status, description: 'Unauthorized' };
      scene.fake.platform.faults.push({ path: '/', reply: { kind: 'json', status, json } });
      scene.run.start(collector());
      await scene.run.ended();
      expect(scene.run.state?.kind).toBe('stopped');
      expect(asked().length).toBe(1);
      expect(JSON.stringify(scene.run.statuses)).not.toContain('secret-of-the-bot');
    },
  );

  it('never prints the token when no server answers', async () => {
    const { url } = scene.fake.platform;
    await scene.fake.platform.close();
    const settings = { botToken: scene.fake.token, longPollSeconds: 1, requestsPerMinute: 6_000 };
    scene.run.start(createTelegramCollector({ baseUrl: url, ...settings }));
    await scene.run.until(() => scene.run.counts.failures >= 3);
    expect(scene.run.state).toMatchObject({ reason: 'failing' });
    expect(JSON.stringify(scene.run.statuses)).toContain('ECONNREFUSED');
    expect(JSON.stringify(scene.run.statuses)).not.toContain('secret-of-the-bot');
  });

  it('waits as many seconds as Telegram requests', async () => {
    const json = { ok: false, error_code: 429, parameters: { retry_after: 35 } };
    scene.fake.platform.faults.push({ path: '/', reply: { kind: 'json', status: 429, json } });
    scene.run.start(collector());
    await scene.run.until(() => asked().length >= 2);
    const [first, second] = asked();
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(35_000);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeLessThan(40_000);
  });

  it.each([
    ['no JSON', { kind: 'text', text: 'Bad Gateway' }],
    ['a cut connection', { kind: 'cut', text: '{"ok":true,"result":[{"upd' }],
    ['a conflict with another reader', { kind: 'json', status: 409, json: { ok: false } }],
    ['an answer without a list', { kind: 'json', json: { ok: true, result: {} } }],
  ] as const)('tries again after %s', async (_, reply) => {
    scene.fake.post(1, 1, 'still here', SECOND);
    scene.fake.platform.faults.push({ path: '/', reply });
    scene.run.start(collector());
    await scene.run.until(() => scene.run.events.length === 1);
    expect(scene.run.counts.failures).toBe(1);
  });

  it('skips invalid updates, and continues after them', async () => {
    const chat = { id: -1001, type: 'channel', username: 'calls' };
    scene.fake.updates = [
      { update_id: 1, channel_post: 'text' },
      { update_id: 2, channel_post: { message_id: 1e300, chat, date: SECOND, text: 'x' } },
      { update_id: 3, channel_post: { message_id: 1, chat, date: -5, text: 'x' } },
      { update_id: 4, channel_post: { message_id: 1, chat, date: SECOND, text: { a: 1 } } },
      { update_id: 5, poll: {} },
      { update_id: 6, channel_post: { message_id: 2, chat, date: SECOND + 9e6, text: 'later' } },
    ];
    scene.run.start(collector());
    await scene.run.until(() => asked().at(-1)?.query.get('offset') === '7');
    expect(scene.run.posts.map(({ text }) => text)).toEqual(['later']);
    expect(scene.run.posts[0]?.createdAtMs).toBeLessThanOrEqual(scene.run.clock.nowMs());
    expect(scene.run.counts).toMatchObject({ malformed: 4, fromFuture: 1 });
  });
});
