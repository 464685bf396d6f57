import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, monotonicClock } from '../../../src/lib/clock.ts';
import type { PostRecord } from '../../posts/social-post.ts';
import { Random } from '../../random/random.ts';
import { isLoopback, readDocument, respond } from '../node/control-face.ts';
import { CALM_POSTS, type PostFaultSettings, parsePostFaults, withFaults } from './post-faults.ts';

export interface PostServerOptions {
  /** The expected `Authorization: Bearer …`; without one no authentication is required. */
  readonly token?: string;
  readonly faults?: PostFaultSettings;
  readonly clock?: Clock;
  /** Number of records kept; older ones are dropped. */
  readonly windowRecords?: number;
  readonly requestsPerMinute?: number;
}

/** The start of a page: the number of a record, and the index among its additional records. */
interface Cursor {
  readonly sequence: number;
  readonly beside: number;
}

type Query =
  | { readonly kind: 'query'; readonly since: Cursor | null; readonly limit: number }
  | { readonly kind: 'refused'; readonly message: string };

const PAGE = { default: 100, most: 1_000 } as const;
const WINDOW_RECORDS = 200_000;
const REQUESTS_PER_MINUTE = 600;
const MINUTE_MS = 60_000;

/**
 * A social source on this machine:
 *
 *     GET /posts?since=<cursor>&limit=<1 to 1000, else 100>
 *     200 {"records":[…],"next":"<cursor>","hasMore":false}
 *
 * Records are those of `posts.jsonl`; without `since` pages start with the oldest, and `next`
 * remains valid when nothing is new. 400 for an invalid query, 401 with an invalid token, 410 with
 * `oldest` for a cursor whose records were dropped, 429 with `Retry-After` for too many requests.
 * `GET`, `POST` and `DELETE /faults` read, change and reset the faults.
 */
export class PostServer {
  private readonly token: string | null;
  private readonly clock: Clock;
  private readonly windowRecords: number;
  private readonly requestsPerMinute: number;
  private readonly server: Server;
  private settings: PostFaultSettings;
  private records: PostRecord[] = [];
  private firstSequence = 0;
  private requests = 0;
  private minuteFromMs: number;
  private minuteRequests = 0;

  constructor(options: PostServerOptions = {}) {
    this.token = options.token ?? null;
    this.settings = options.faults ?? CALM_POSTS;
    this.clock = options.clock ?? monotonicClock;
    this.windowRecords = options.windowRecords ?? WINDOW_RECORDS;
    this.requestsPerMinute = options.requestsPerMinute ?? REQUESTS_PER_MINUTE;
    this.minuteFromMs = this.clock.nowMs();
    this.server = createServer((request, response) => {
      void this.answer(request, response);
    });
  }

  get faults(): PostFaultSettings {
    return this.settings;
  }

  /** Makes records available. */
  publish(records: readonly PostRecord[]): void {
    for (const record of records) this.records.push(record);
    // Trimmed rarely: half a window of spare memory is cheaper than a copy for each record.
    if (this.records.length <= this.windowRecords * 1.5) return;
    const gone = this.records.length - this.windowRecords;
    this.records = this.records.slice(gone);
    this.firstSequence += gone;
  }

  /** Listens on this machine only and returns the port. Rejects with the system's error. */
  async listen(port = 0): Promise<number> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = this.server.listening ? once(this.server, 'close') : null;
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
    if (url?.pathname === '/faults') await this.answerFaults(request, response);
    else if (url?.pathname !== '/posts') respond(response, 404, { error: 'no such page' });
    else if (request.method !== 'GET') respond(response, 405, { error: 'only GET is allowed' });
    else this.answerPosts(request, response, url.searchParams);
  }

  private answerPosts(
    { headers }: IncomingMessage,
    response: ServerResponse,
    parameters: URLSearchParams,
  ): void {
    if (!this.isAllowed(headers.authorization)) {
      respond(response, 401, { error: 'the token is not valid' });
      return;
    }
    const waitSeconds = this.waitSeconds();
    if (waitSeconds !== null) {
      response.setHeader('retry-after', waitSeconds);
      respond(response, 429, { error: 'too many requests' });
      return;
    }
    const query = parseQuery(parameters);
    if (query.kind === 'refused') {
      respond(response, 400, { error: query.message });
      return;
    }
    const since = query.since ?? { sequence: this.firstSequence, beside: 0 };
    if (since.sequence < this.firstSequence) {
      respond(response, 410, { error: 'the cursor is too old', oldest: `${this.firstSequence}` });
      return;
    }
    if (since.sequence > this.firstSequence + this.records.length) {
      respond(response, 400, { error: 'since is beyond the newest record' });
      return;
    }
    respond(response, 200, this.page(since, query.limit));
  }

  private page({ sequence, beside }: Cursor, limit: number): object {
    const end = this.firstSequence + this.records.length;
    const records: PostRecord[] = [];
    let at = { sequence, beside };
    while (at.sequence < end && records.length < limit) {
      const record = this.records[at.sequence - this.firstSequence];
      const sent = record === undefined ? [] : withFaults(record, this.settings);
      const taken = sent.slice(at.beside, at.beside + limit - records.length);
      records.push(...taken);
      const next = at.beside + taken.length;
      at =
        next < sent.length
          ? { sequence: at.sequence, beside: next }
          : { sequence: at.sequence + 1, beside: 0 };
    }
    return { records, next: cursorText(at), hasMore: at.sequence < end };
  }

  private isAllowed(authorization: string | undefined): boolean {
    if (this.settings.isTokenRevoked) return false;
    return this.token === null || authorization === `Bearer ${this.token}`;
  }

  /** Seconds to wait before the next request; null if this one is answered. */
  private waitSeconds(): number | null {
    const { seed, tooManyRequests, retryAfterSeconds } = this.settings;
    const number = this.requests++;
    if (new Random(`${seed}/tooManyRequests/${number}`).chance(tooManyRequests)) {
      return retryAfterSeconds;
    }
    const nowMs = this.clock.nowMs();
    if (nowMs - this.minuteFromMs >= MINUTE_MS) {
      this.minuteFromMs = nowMs;
      this.minuteRequests = 0;
    }
    this.minuteRequests++;
    if (this.minuteRequests <= this.requestsPerMinute) return null;
    return Math.ceil((this.minuteFromMs + MINUTE_MS - nowMs) / 1_000);
  }

  private async answerFaults(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method } = request;
    if (!isLoopback(request)) respond(response, 403, { error: 'only from this machine' });
    else if (method === 'POST') await this.changeFaults(request, response);
    else if (method === 'GET' || method === 'DELETE') {
      if (method === 'DELETE') this.settings = { ...CALM_POSTS, seed: this.settings.seed };
      respond(response, 200, this.settings);
    } else respond(response, 405, { error: 'GET, POST or DELETE' });
  }

  private async changeFaults(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const document = await readDocument(request);
    const reading = parsePostFaults(document, this.settings);
    if (reading.kind === 'refused') {
      respond(response, 400, { error: reading.message });
      return;
    }
    this.settings = reading.settings;
    respond(response, 200, this.settings);
  }
}

function cursorText({ sequence, beside }: Cursor): string {
  return beside === 0 ? `${sequence}` : `${sequence}.${beside}`;
}

function parseQuery(parameters: URLSearchParams): Query {
  const limitText = parameters.get('limit') ?? String(PAGE.default);
  const limit = /^\d{1,4}$/.test(limitText) ? Number(limitText) : 0;
  if (limit < 1 || limit > PAGE.most) {
    return { kind: 'refused', message: `limit must be a whole number from 1 to ${PAGE.most}` };
  }
  const sinceText = parameters.get('since');
  if (sinceText === null) return { kind: 'query', since: null, limit };
  const [, sequence, beside = '0'] = /^(\d{1,15})(?:\.([1-9]))?$/.exec(sinceText) ?? [];
  if (sequence === undefined) return { kind: 'refused', message: 'since is no cursor' };
  return { kind: 'query', since: { sequence: Number(sequence), beside: Number(beside) }, limit };
}
