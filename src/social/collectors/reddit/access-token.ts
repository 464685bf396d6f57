import type { Clock } from '../../../lib/clock.ts';
import type { HttpClient } from '../../../lib/http-client/http-client.ts';
import { type PollOutcome, refusalOf } from '../../collecting/poll.ts';
import { countOf, fieldsOf } from '../../collecting/read-fields.ts';

/** A token is renewed this long before it expires. */
const EARLY_MS = 60_000;

/** The application's access token (OAuth 2 client credentials), requested when needed. */
export class AccessToken {
  private readonly client: HttpClient;
  private readonly clock: Clock;
  private token: string | null = null;
  private endsMs = 0;

  /** The client sends the application's id and secret. */
  constructor(client: HttpClient, clock: Clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Call it when the API rejects the token. */
  drop(): void {
    this.token = null;
  }

  async read(signal: AbortSignal, nowMs: number): Promise<string | PollOutcome> {
    if (this.token !== null && this.clock.nowMs() < this.endsMs - EARLY_MS) return this.token;
    const text = 'grant_type=client_credentials';
    const body = { contentType: 'application/x-www-form-urlencoded', text };
    const answer = await this.client.request(
      { method: 'POST', path: '/api/v1/access_token', body },
      signal,
    );
    const refusal = refusalOf(answer, 'Reddit', nowMs);
    if (refusal !== null) return refusal;
    const { access_token, expires_in } = fieldsOf(answer.kind === 'answer' ? answer.json : null);
    const seconds = countOf(expires_in);
    if (typeof access_token !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(access_token)) {
      return { kind: 'failed', message: 'Reddit gave no access token.' };
    }
    this.token = access_token;
    this.endsMs = this.clock.nowMs() + (seconds ?? 3_600) * 1_000;
    return access_token;
  }
}
