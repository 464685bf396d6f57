import type { ServerResponse } from 'node:http';
import { type AskedRequest, FakePlatform, ok, type Reply } from './fake-platform.ts';

const ID_EPOCH_MS = 1_288_834_974_657n;

/** Ids as X makes them: milliseconds above 22 bits. */
export function postIdAt(ms: number, sequence = 0): string {
  return String(((BigInt(ms) - ID_EPOCH_MS) << 22n) + BigInt(sequence));
}

export function xPost(id: string, createdAtMs: number, fields: Record<string, unknown> = {}) {
  return {
    id,
    text: `post ${id}`,
    author_id: '7',
    created_at: new Date(createdAtMs).toISOString(),
    edit_history_tweet_ids: [id],
    public_metrics: { retweet_count: 3, reply_count: 0, like_count: 1, quote_count: 0 },
    ...fields,
  };
}

export const X_USER = {
  id: '7',
  name: 'Seven',
  username: 'seven',
  created_at: '2020-01-01T00:00:00.000Z',
  public_metrics: {
    followers_count: 1_000,
    following_count: 50,
    tweet_count: 777,
    listed_count: 2,
  },
};

interface Rule {
  readonly id: string;
  readonly value: string;
  readonly tag?: string;
}

/** Recent search and the filtered stream of the X API v2, as docs.x.com describes them. */
export class FakeX {
  posts: ReturnType<typeof xPost>[] = [];
  users: unknown[] = [X_USER];
  rules: Rule[] = [];
  readonly token = 'AAAA-secret-bearer';
  /** Open connections to the stream. */
  readonly listeners: ServerResponse[] = [];
  readonly platform: FakePlatform;
  private ruleCount = 0;

  private constructor(platform: FakePlatform) {
    this.platform = platform;
    platform.handle = (request) => this.reply(request);
  }

  static async start(nowMs: () => number): Promise<FakeX> {
    return new FakeX(await FakePlatform.start(nowMs));
  }

  async close(): Promise<void> {
    await this.platform.close();
  }

  send(text: string): void {
    for (const listener of this.listeners) listener.write(text);
  }

  sendPost(post: unknown): void {
    this.send(`${JSON.stringify(this.message(post))}\r\n`);
  }

  message(post: unknown) {
    return { data: post, includes: { users: this.users }, matching_rules: [{ id: '1', tag: '' }] };
  }

  private reply(request: AskedRequest): Reply {
    if (request.headers.authorization !== `Bearer ${this.token}`) {
      return { kind: 'json', status: 401, json: { title: 'Unauthorized', status: 401 } };
    }
    if (request.path === '/2/tweets/search/recent') return this.search(request);
    if (request.path === '/2/tweets/search/stream/rules') return this.changeRules(request);
    if (request.path === '/2/tweets/search/stream') {
      return { kind: 'stream', write: (response) => this.listen(response) };
    }
    return { kind: 'json', status: 404, json: {} };
  }

  private listen(response: ServerResponse): void {
    response.write('\r\n');
    this.listeners.push(response);
    response.on('close', () => this.listeners.splice(this.listeners.indexOf(response), 1));
  }

  /** The newest first, `since_id` excluded, in pages of `max_results`. */
  private search({ query }: AskedRequest): Reply {
    const since = BigInt(query.get('since_id') ?? '0');
    const size = Number(query.get('max_results'));
    const start = Number(query.get('next_token')?.slice('page'.length) ?? 0);
    const found = this.posts
      .filter(({ id }) => BigInt(id) > since)
      .sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? 1 : -1));
    const data = found.slice(start, start + size);
    const meta = { newest_id: data[0]?.id, oldest_id: data.at(-1)?.id, result_count: data.length };
    const isLast = start + size >= found.length;
    const next = isLast ? {} : { next_token: `page${start + size}` };
    if (data.length === 0) return ok({ meta: { result_count: 0 } });
    return ok({ data, includes: { users: this.users }, meta: { ...meta, ...next } });
  }

  private changeRules({ method, body }: AskedRequest): Reply {
    if (method === 'GET')
      return ok({ data: this.rules, meta: { result_count: this.rules.length } });
    const change = JSON.parse(body) as {
      add?: { value: string; tag: string }[];
      delete?: { ids: string[] };
    };
    this.rules = this.rules.filter(({ id }) => change.delete?.ids.includes(id) !== true);
    for (const rule of change.add ?? []) this.rules.push({ id: `r${++this.ruleCount}`, ...rule });
    return { kind: 'json', status: change.add === undefined ? 200 : 201, json: { meta: {} } };
  }
}
