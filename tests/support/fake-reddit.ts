import { type AskedRequest, FakePlatform, ok, type Reply } from './fake-platform.ts';

export function submission(id: string, createdAtMs: number, fields: Record<string, unknown> = {}) {
  return {
    name: `t3_${id}`,
    title: `title ${id}`,
    selftext: 'body',
    author: 'kim',
    author_fullname: 't2_kim',
    created_utc: createdAtMs / 1_000,
    permalink: `/r/solana/comments/${id}/title/`,
    is_self: true,
    url: 'https://www.reddit.com/self',
    num_crossposts: 1,
    subreddit: 'solana',
    removed_by_category: null,
    ...fields,
  };
}

/**
 * Tokens, new submissions, search and info of Reddit's API, as www.reddit.com/dev/api and the wiki of
 * its OAuth2 describe them. The newest submission comes first in `listed`.
 */
export class FakeReddit {
  readonly secret = 'reddit-application-secret';
  listed: ReturnType<typeof submission>[] = [];
  /** Found by a search, and not in the community's listing. */
  found: ReturnType<typeof submission>[] = [];
  rateHeaders: Record<string, string> = {};
  /** The token issued last, and the only valid one. */
  token = '';
  readonly platform: FakePlatform;
  private tokens = 0;

  private constructor(platform: FakePlatform) {
    this.platform = platform;
    platform.handle = (request) => this.reply(request);
  }

  static async start(nowMs: () => number): Promise<FakeReddit> {
    return new FakeReddit(await FakePlatform.start(nowMs));
  }

  async close(): Promise<void> {
    await this.platform.close();
  }

  /** Deleted by its author: listings continue without it, and return nothing before it. */
  remove(id: string): void {
    const name = `t3_${id}`;
    this.listed = this.listed.filter((each) => each.name !== name);
  }

  private reply(request: AskedRequest): Reply {
    const { path, query, headers, method } = request;
    if (path === '/api/v1/access_token') {
      const credentials = Buffer.from(`app:${this.secret}`).toString('base64');
      if (method !== 'POST' || headers.authorization !== `Basic ${credentials}`) {
        return { kind: 'json', status: 401, json: { message: 'Unauthorized', error: 401 } };
      }
      this.token = `token-${++this.tokens}`;
      return ok({ access_token: this.token, token_type: 'bearer', expires_in: 86_400, scope: '*' });
    }
    if (headers.authorization !== `Bearer ${this.token}` || headers['user-agent'] === undefined) {
      return { kind: 'json', status: 401, json: { message: 'Unauthorized', error: 401 } };
    }
    if (path === '/r/solana/new') return this.listing(this.page(query));
    if (path === '/search') return this.listing(this.found);
    if (path === '/api/info') {
      const names = new Set((query.get('id') ?? '').split(','));
      return this.listing([...this.listed, ...this.found].filter(({ name }) => names.has(name)));
    }
    return { kind: 'json', status: 403, json: { reason: 'private', error: 403 } };
  }

  /** Before a name: the nearest newer ones. Before a name that is not listed: nothing. */
  private page(query: URLSearchParams) {
    const limit = Number(query.get('limit'));
    const before = query.get('before');
    if (before === null) return this.listed.slice(0, limit);
    const at = this.listed.findIndex(({ name }) => name === before);
    return at < 0 ? [] : this.listed.slice(Math.max(0, at - limit), at);
  }

  private listing(submissions: readonly unknown[]): Reply {
    const children = submissions.map((data) => ({ kind: 't3', data }));
    return ok({ kind: 'Listing', data: { children, after: null, before: null } }, this.rateHeaders);
  }
}
