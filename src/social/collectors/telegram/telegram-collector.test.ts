import { beforeEach, describe, expect, it } from 'vitest';
import { CollectorRun, NOTHING, START_MS } from '../../../../tests/support/collector-run.ts';
import { FakeTelegram } from '../../../../tests/support/fake-telegram.ts';
import { createTelegramCollector } from './telegram-collector.ts';

const SECOND = START_MS / 1_000;

let telegram: FakeTelegram;
let run: CollectorRun;

beforeEach(async () => {
  ({ run, fake: telegram } = await CollectorRun.with(FakeTelegram, NOTHING));
});

function collector(botToken = telegram.token) {
  const baseUrl = telegram.platform.url;
  return createTelegramCollector({
    baseUrl,
    botToken,
    longPollSeconds: 1,
    requestsPerMinute: 6_000,
  });
}

function asked() {
  return telegram.platform.asked(telegram.path('getUpdates'));
}

describe('the Telegram bot', () => {
  it('emits posts of public channels, with their member counts', async () => {
    telegram.members.set('-1001', 4_321);
    telegram.post(10, 5, 'look at this', SECOND - 30);
    run.start(collector());
    await run.until(() => run.events.length === 1);
    expect(run.posts).toEqual([
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
    telegram.updates = [
      { update_id: 1, message: { ...message, chat: group } },
      { update_id: 2, message: { ...message, chat: { id: 42, type: 'private', username: 'ann' } } },
      { update_id: 3, message: { ...message, chat: { id: -3, type: 'supergroup' } } },
      { update_id: 4, message: { ...message, chat: { id: -4, type: 'group', username: 'no' } } },
      { update_id: 5, message: { message_id: 2, date: SECOND, from, chat: group, photo: [] } },
    ];
    run.start(collector());
    await run.until(() => run.cursor !== null);
    expect(run.posts.map(({ postId, links, author }) => [postId, links, author.id])).toEqual([
      ['-1002:1', ['https://a.xyz/b'], '42'],
    ]);
    expect(run.counts.malformed).toBe(0);
  });

  it('emits an edited post again, and an unchanged one only once', async () => {
    telegram.post(1, 5, 'one', SECOND);
    telegram.post(2, 5, 'one', SECOND);
    telegram.post(3, 5, 'two', SECOND, 'edited_channel_post');
    run.start(collector());
    await run.until(() => run.events.length === 2);
    expect(run.posts.map(({ postId, text }) => [postId, text])).toEqual([
      ['-1001:5', 'one'],
      ['-1001:5', 'two'],
    ]);
  });

  it('acknowledges updates only after they are saved, so a kill in between loses none', async () => {
    telegram.post(7, 1, 'first', SECOND);
    run.onCursor = () => {
      // Killed before the cursor is saved: nothing after this happens.
      void run.stop();
      return false;
    };
    run.start(collector());
    await run.until(() => run.events.length === 1);
    await run.stop();
    expect(telegram.updates.length).toBe(1);
    run = new CollectorRun(NOTHING, START_MS, run.cursor);
    run.start(collector());
    await run.until(() => run.events.length === 1);
    await run.until(() => asked().at(-1)?.query.get('offset') === '8');
    expect(telegram.updates.length).toBe(0);
  });

  it('starts without an offset after a week, when update ids restart', async () => {
    const cursor = JSON.stringify({ next: 900_000, atMs: START_MS - 8 * 86_400_000 });
    telegram.post(3, 1, 'a new count', SECOND);
    run = new CollectorRun(NOTHING, START_MS, cursor);
    run.start(collector());
    await run.until(() => run.events.length === 1);
    expect(asked()[0]?.query.has('offset')).toBe(false);
  });

  it.each([401, 404])(
    'stops for a token that Telegram answers with %s, and never prints it',
    async (status) => {
      const json = { ok: false, error_code: status, description: 'Unauthorized' };
      telegram.platform.faults.push({ path: '/', reply: { kind: 'json', status, json } });
      run.start(collector());
      await run.ended();
      expect(run.state?.kind).toBe('stopped');
      expect(asked().length).toBe(1);
      expect(JSON.stringify(run.statuses)).not.toContain('secret-of-the-bot');
    },
  );

  it('never prints the token when no server answers', async () => {
    const { url } = telegram.platform;
    await telegram.platform.close();
    const settings = { botToken: telegram.token, longPollSeconds: 1, requestsPerMinute: 6_000 };
    run.start(createTelegramCollector({ baseUrl: url, ...settings }));
    await run.until(() => run.counts.failures >= 3);
    expect(run.state).toMatchObject({ reason: 'failing' });
    expect(JSON.stringify(run.statuses)).toContain('ECONNREFUSED');
    expect(JSON.stringify(run.statuses)).not.toContain('secret-of-the-bot');
  });

  it('waits as many seconds as Telegram requests', async () => {
    const json = { ok: false, error_code: 429, parameters: { retry_after: 35 } };
    telegram.platform.faults.push({ path: '/', reply: { kind: 'json', status: 429, json } });
    run.start(collector());
    await run.until(() => asked().length >= 2);
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
    telegram.post(1, 1, 'still here', SECOND);
    telegram.platform.faults.push({ path: '/', reply });
    run.start(collector());
    await run.until(() => run.events.length === 1);
    expect(run.counts.failures).toBe(1);
  });

  it('skips invalid updates, and continues after them', async () => {
    const chat = { id: -1001, type: 'channel', username: 'calls' };
    telegram.updates = [
      { update_id: 1, channel_post: 'text' },
      { update_id: 2, channel_post: { message_id: 1e300, chat, date: SECOND, text: 'x' } },
      { update_id: 3, channel_post: { message_id: 1, chat, date: -5, text: 'x' } },
      { update_id: 4, channel_post: { message_id: 1, chat, date: SECOND, text: { a: 1 } } },
      { update_id: 5, poll: {} },
      { update_id: 6, channel_post: { message_id: 2, chat, date: SECOND + 9e6, text: 'later' } },
    ];
    run.start(collector());
    await run.until(() => asked().at(-1)?.query.get('offset') === '7');
    expect(run.posts.map(({ text }) => text)).toEqual(['later']);
    expect(run.posts[0]?.createdAtMs).toBeLessThanOrEqual(run.clock.nowMs());
    expect(run.counts).toMatchObject({ malformed: 4, fromFuture: 1 });
  });
});
