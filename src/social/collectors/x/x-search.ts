import type { HttpClient } from '../../../lib/http-client/http-client.ts';
import type { PostEvent } from '../../../model/social-post.ts';
import type { Collector, CollectorContext } from '../../collecting/collector.ts';
import { isBadRequest, type PollOutcome } from '../../collecting/poll.ts';
import { polledCollector } from '../../collecting/polled-collector.ts';
import { fieldsOf, idOf, listOf, parseFields } from '../../collecting/read-fields.ts';
import { RequestPace } from '../../collecting/request-pace.ts';
import { type SearchPage, SearchRounds } from '../../collecting/search-rounds.ts';
import type { Tally } from '../../collecting/tally.ts';
import { budgetSpent, PostBudget } from './post-budget.ts';
import { numericId, POST_FIELDS, readPost, readUsers } from './read-post.ts';
import { createXClient } from './x-client.ts';
import { xRefusal } from './x-refusal.ts';
import { xTerms } from './x-terms.ts';

export interface XSearchSettings {
  readonly baseUrl: string;
  readonly bearerToken: string;
  /** Maximum posts read in a month (UTC), since X bills each of them. */
  readonly postsPerMonth: number;
  readonly pollMs: number;
  readonly requestsPerMinute: number;
  /** Maximum characters of a query: 512 on self-serve plans. */
  readonly queryLengthMax: number;
  readonly queriesMax: number;
}

const PAGE_POSTS_MAX = 100;
/** X refuses smaller pages. */
const PAGE_POSTS_MIN = 10;
/** How far back a new term is searched. */
const LOOK_BACK_MS = 60_000;
/** Recent search covers seven days; an hour is a margin for clock differences. */
const OLDEST_MS = (7 * 24 - 1) * 3_600_000;
/** An id contains the milliseconds since this time above its lowest 22 bits. */
const ID_EPOCH_MS = 1_288_834_974_657n;

/** The smallest id of a post in that millisecond. */
export function firstIdAt(ms: number): bigint {
  const sinceEpoch = BigInt(ms) - ID_EPOCH_MS;
  return sinceEpoch > 0n ? sinceEpoch << 22n : 1n;
}

/**
 * Recent search of X for posts since the last round. It does not report deletions.
 */
export function createXSearch(settings: XSearchSettings): Collector {
  const start = (context: CollectorContext, tally: Tally) => new XSearch(settings, context, tally);
  return polledCollector('x', 'x-search', start);
}

class XSearch {
  private readonly settings: XSearchSettings;
  private readonly client: HttpClient;
  private readonly context: CollectorContext;
  private readonly tally: Tally;
  private readonly budget: PostBudget;
  private readonly pace: RequestPace;
  private readonly rounds: SearchRounds;

  constructor(settings: XSearchSettings, context: CollectorContext, tally: Tally) {
    this.settings = settings;
    this.client = createXClient(settings);
    this.context = context;
    this.tally = tally;
    const kept = parseFields(context.cursor.read() ?? '') ?? {};
    this.budget = new PostBudget(settings.postsPerMonth, kept.budget);
    this.pace = new RequestPace(context.clock, {
      perMinute: settings.requestsPerMinute,
      burst: Math.min(5, settings.requestsPerMinute),
    });
    const keep = async (sinces: Readonly<Record<string, string>>) => {
      const budget = this.budget.entries();
      await context.cursor.write(JSON.stringify({ sinces, budget }));
    };
    this.rounds = new SearchRounds(
      {
        form: {
          start: '(',
          joiner: ' OR ',
          end: ') -is:retweet',
          lengthMax: settings.queryLengthMax,
          groupsMax: settings.queriesMax,
        },
        pollMs: settings.pollMs,
        pagesMax: 20,
        terms: xTerms,
        marks: (nowMs) => ({
          fresh: firstIdAt(nowMs - LOOK_BACK_MS),
          oldest: firstIdAt(nowMs - OLDEST_MS),
        }),
        readPage: async (query, since, page) => await this.readPage(query, since, page),
      },
      { context, tally, kept: kept.sinces, keep },
    );
  }

  async round(): Promise<PollOutcome> {
    return await this.rounds.round();
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private async readPage(
    query: string,
    since: bigint,
    next: string | null,
  ): Promise<SearchPage | PollOutcome | { readonly kind: 'refused' }> {
    const { signal } = this.context;
    const left = this.budget.left(this.context.nowMs());
    if (left < PAGE_POSTS_MIN) {
      const message = `The ${this.settings.postsPerMonth} posts of this month have been read.`;
      return budgetSpent(message, this.context.nowMs());
    }
    await this.pace.take(signal);
    this.tally.add('requests');
    const answer = await this.client.request(
      {
        path: '/2/tweets/search/recent',
        query: {
          query,
          since_id: String(since),
          max_results: Math.min(PAGE_POSTS_MAX, left),
          next_token: next,
          ...POST_FIELDS,
        },
      },
      signal,
    );
    if (isBadRequest(answer)) return { kind: 'refused' };
    const json = answer.kind === 'answer' ? answer.json : undefined;
    return xRefusal(answer, this.context.nowMs()) ?? this.page(json);
  }

  private page(json: unknown): SearchPage {
    const nowMs = this.context.nowMs();
    const { data, includes, meta } = fieldsOf(json);
    const found = listOf(data);
    this.budget.spend(found.length, nowMs);
    const users = readUsers(includes);
    const events = found.flatMap((value): PostEvent[] => {
      const post = readPost(value, users, nowMs, this.tally);
      return post === null ? [] : [{ kind: 'post', post }];
    });
    const { newest_id, next_token } = fieldsOf(meta);
    const newest = this.trusted(numericId(newest_id), nowMs);
    return { kind: 'page', events: events.reverse(), newest, next: idOf(next_token) };
  }

  /** Null for an id in the future, which would hide all posts until then. */
  private trusted(id: string | null, nowMs: number): bigint | null {
    if (id === null || BigInt(id) < firstIdAt(nowMs + LOOK_BACK_MS)) {
      return id === null ? null : BigInt(id);
    }
    this.tally.add('malformed');
    return null;
  }
}
