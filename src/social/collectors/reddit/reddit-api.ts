import { HttpClient } from '../../../lib/http-client/http-client.ts';
import type { CollectorContext } from '../../collecting/collector.ts';
import { type PollOutcome, rateLimited, refusalOf, resetMs } from '../../collecting/poll.ts';
import { RequestPace } from '../../collecting/request-pace.ts';
import type { Tally } from '../../collecting/tally.ts';
import { AccessToken } from './access-token.ts';

export interface RedditApiSettings {
  /** The server that issues tokens. */
  readonly authBaseUrl: string;
  readonly apiBaseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Reddit limits programs that do not identify themselves. */
  readonly userAgent: string;
  readonly requestsPerMinute: number;
}

export type RedditAnswer =
  | { readonly kind: 'json'; readonly json: unknown }
  /** Not readable: a private or banned community. */
  | { readonly kind: 'closed' }
  | PollOutcome;

const UNAUTHORIZED = 401;
const CLOSED = new Set([403, 404]);

/** Reddit's API: handles its token, rate limit and refusals. */
export class RedditApi {
  private readonly context: CollectorContext;
  private readonly tally: Tally;
  private readonly auth: HttpClient;
  private readonly client: HttpClient;
  private readonly token: AccessToken;
  private readonly pace: RequestPace;
  /** Until then the last answer allowed no further requests. */
  private restUntilMs = 0;

  constructor(settings: RedditApiSettings, context: CollectorContext, tally: Tally) {
    const headers = { 'user-agent': settings.userAgent };
    const credentials = Buffer.from(`${settings.clientId}:${settings.clientSecret}`);
    const authorization = `Basic ${credentials.toString('base64')}`;
    this.context = context;
    this.tally = tally;
    this.auth = new HttpClient({
      baseUrl: settings.authBaseUrl,
      headers: { ...headers, authorization },
    });
    this.client = new HttpClient({ baseUrl: settings.apiBaseUrl, headers });
    this.token = new AccessToken(this.auth, context.clock);
    const perMinute = settings.requestsPerMinute;
    this.pace = new RequestPace(context.clock, { perMinute, burst: Math.min(10, perMinute) });
  }

  /** A rejected token is renewed once. */
  async get(
    path: string,
    query: Readonly<Record<string, string | number | null>>,
  ): Promise<RedditAnswer> {
    const first = await this.attempt(path, query);
    if (first !== 'unauthorized') return first;
    this.token.drop();
    const second = await this.attempt(path, query);
    if (second !== 'unauthorized') return second;
    const message = 'Reddit rejects the tokens that it issues. Check the application there.';
    return { kind: 'stopped', message };
  }

  async close(): Promise<void> {
    await this.auth.close();
    await this.client.close();
  }

  private async attempt(
    path: string,
    query: Readonly<Record<string, string | number | null>>,
  ): Promise<RedditAnswer | 'unauthorized'> {
    const { signal, nowMs } = this.context;
    if (nowMs() < this.restUntilMs) return rateLimited('Reddit', this.restUntilMs);
    const token = await this.token.read(signal, nowMs());
    if (typeof token !== 'string') return token;
    await this.pace.take(signal);
    this.tally.add('requests');
    const headers = { authorization: `Bearer ${token}` };
    const answer = await this.client.request(
      { path, query: { ...query, raw_json: 1 }, headers },
      signal,
    );
    if (answer.kind === 'answer') {
      if (answer.status === UNAUTHORIZED) return 'unauthorized';
      const remaining = Number(answer.header('x-ratelimit-remaining') ?? 'NaN');
      if (remaining < 1) this.restUntilMs = resetMs(answer, nowMs());
      if (CLOSED.has(answer.status)) return { kind: 'closed' };
    }
    const refusal = refusalOf(answer, 'Reddit', nowMs());
    return refusal ?? { kind: 'json', json: answer.kind === 'answer' ? answer.json : undefined };
  }
}
