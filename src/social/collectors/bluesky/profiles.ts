import { HttpClient } from '../../../lib/http-client/http-client.ts';
import { RecentMap } from '../../../lib/recent-map.ts';
import type { PostAuthor } from '../../../model/social-post.ts';
import type { CollectorContext } from '../../collecting/collector.ts';
import { resetMs } from '../../collecting/poll.ts';
import {
  bareAuthor,
  countOf,
  type Fields,
  fieldsOf,
  handleOf,
  instantOf,
  listOf,
} from '../../collecting/read-fields.ts';
import { RequestPace } from '../../collecting/request-pace.ts';
import type { Tally } from '../../collecting/tally.ts';

export interface ProfileSettings {
  /** URL of an AppView, such as `https://public.api.bsky.app`. */
  readonly baseUrl: string;
  readonly requestsPerMinute: number;
}

/** Maximum accounts in one request, as the API allows. */
const ACCOUNTS_MAX = 25;
const KNOWN_MAX = 20_000;
const AGE_MAX_MS = 6 * 3_600_000;
/** For an account that was not in the AppView's answer. */
const UNKNOWN_AGE_MAX_MS = 10 * 60_000;
/** A post waits at most this long for the rate limit; then its author stays unknown. */
const TURN_MAX_MS = 2_000;
const DEADLINE_MS = 5_000;
const REST_MS = 30_000;
const OK = 200;
const TOO_MANY_REQUESTS = 429;

/**
 * Followers and age of authors, which Jetstream does not provide. They are requested in batches and
 * cached. Data that cannot be read in time stay unknown; no post is dropped because of that.
 */
export class Profiles {
  private readonly context: CollectorContext;
  private readonly tally: Tally;
  private readonly client: HttpClient;
  private readonly pace: RequestPace;
  private readonly known = new RecentMap<string, { author: PostAuthor; untilMs: number }>(
    KNOWN_MAX,
  );
  private restUntilMs = 0;

  constructor(settings: ProfileSettings, context: CollectorContext, tally: Tally) {
    this.context = context;
    this.tally = tally;
    this.client = new HttpClient({
      baseUrl: settings.baseUrl,
      headers: {},
      deadlineMs: DEADLINE_MS,
    });
    const perMinute = settings.requestsPerMinute;
    this.pace = new RequestPace(context.clock, { perMinute, burst: Math.min(10, perMinute) });
  }

  /** Authors by account. */
  async read(accounts: readonly string[]): Promise<ReadonlyMap<string, PostAuthor>> {
    const distinct = [...new Set(accounts)];
    const missing = distinct.filter((did) => !this.isKnown(did));
    for (let at = 0; at < missing.length; at += ACCOUNTS_MAX) {
      if (!(await this.requestProfiles(missing.slice(at, at + ACCOUNTS_MAX)))) break;
    }
    return new Map(
      distinct.map((did) => [did, this.known.peek(did)?.author ?? bareAuthor(did, null)]),
    );
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private isKnown(did: string): boolean {
    return (this.known.get(did)?.untilMs ?? 0) > this.context.clock.nowMs();
  }

  /** False when no further request may be sent now. */
  private async requestProfiles(accounts: readonly string[]): Promise<boolean> {
    const { signal, clock } = this.context;
    const isResting = clock.nowMs() < this.restUntilMs;
    if (isResting || signal.aborted || this.pace.waitMs() > TURN_MAX_MS) return false;
    await this.pace.take(signal);
    this.tally.add('requests');
    const path = '/xrpc/app.bsky.actor.getProfiles';
    const answer = await this.client.request({ path, query: { actors: accounts } }, signal);
    if (answer.kind === 'failed' || answer.status !== OK) {
      const isLimited = answer.kind === 'answer' && answer.status === TOO_MANY_REQUESTS;
      const nowMs = this.context.nowMs();
      const restMs = isLimited ? resetMs(answer, nowMs) - nowMs : REST_MS;
      this.restUntilMs = clock.nowMs() + restMs;
      this.tally.add('failures');
      return false;
    }
    this.learn(accounts, fieldsOf(answer.json));
    return true;
  }

  private learn(accounts: readonly string[], { profiles }: Fields): void {
    const nowMs = this.context.clock.nowMs();
    for (const did of accounts) {
      const author = this.known.peek(did)?.author ?? bareAuthor(did, null);
      this.known.set(did, { author, untilMs: nowMs + UNKNOWN_AGE_MAX_MS });
    }
    const requested = new Set(accounts);
    for (const profile of listOf(profiles).slice(0, ACCOUNTS_MAX)) {
      const { did, handle, followersCount, followsCount, postsCount, createdAt } =
        fieldsOf(profile);
      if (typeof did !== 'string' || !requested.has(did)) continue;
      const author = {
        id: did,
        handle: handleOf(handle),
        followers: countOf(followersCount),
        following: countOf(followsCount),
        createdAtMs: instantOf(createdAt),
        postCount: countOf(postsCount),
      };
      this.known.set(did, { author, untilMs: nowMs + AGE_MAX_MS });
    }
  }
}
