import { type AskedRequest, FakePlatform, ok, type Reply } from './fake-platform.ts';

export function castHash(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

export function cast(number: number, createdAtMs: number, fields: Record<string, unknown> = {}) {
  return {
    object: 'cast',
    hash: castHash(number),
    author: {
      object: 'user',
      fid: 3,
      username: 'dana',
      follower_count: 900,
      following_count: 45,
      registered_at: '2023-11-07T05:31:56Z',
    },
    text: `cast ${number}`,
    timestamp: new Date(createdAtMs).toISOString(),
    embeds: [{ url: 'https://a.xyz/page' }, { cast_id: { fid: 1, hash: '0x' } }],
    reactions: { likes_count: 4, recasts_count: 2 },
    ...fields,
  };
}

/** Neynar's search of casts, as docs.neynar.com/reference/search-casts describes it. */
export class FakeFarcaster {
  casts: ReturnType<typeof cast>[] = [];
  readonly key = 'NEYNAR-SECRET-KEY';
  readonly path = '/v2/farcaster/cast/search/';
  readonly platform: FakePlatform;

  private constructor(platform: FakePlatform) {
    this.platform = platform;
    platform.handle = (request) => this.reply(request);
  }

  static async start(nowMs: () => number): Promise<FakeFarcaster> {
    return new FakeFarcaster(await FakePlatform.start(nowMs));
  }

  async close(): Promise<void> {
    await this.platform.close();
  }

  private reply({ path, query, headers }: AskedRequest): Reply {
    if (headers['x-api-key'] !== this.key) {
      return { kind: 'json', status: 401, json: { message: 'Unauthorized' } };
    }
    if (path !== this.path) return { kind: 'json', status: 404, json: {} };
    const after = /after:(\S+)$/.exec(query.get('q') ?? '')?.[1];
    const sinceMs = Date.parse(`${after}Z`);
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Number(query.get('limit'));
    const found = this.casts
      .filter(({ timestamp }) => !(Date.parse(String(timestamp)) < sinceMs))
      .sort((one, other) => (one.timestamp < other.timestamp ? 1 : -1));
    const cursor = end < found.length ? String(end) : null;
    return ok({ result: { casts: found.slice(start, end), next: { cursor } } });
  }
}
