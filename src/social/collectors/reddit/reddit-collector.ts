import type { PostEvent } from '../../../model/social-post.ts';
import type { Collector, CollectorContext } from '../../collecting/collector.ts';
import type { PollOutcome } from '../../collecting/poll.ts';
import { type PolledSource, pollingCollector } from '../../collecting/polling-collector.ts';
import { PostEmitter } from '../../collecting/post-emitter.ts';
import { quotedTerms } from '../../collecting/quoted-terms.ts';
import { fieldsOf, parseFields } from '../../collecting/read-fields.ts';
import { type SearchPage, SearchRounds, timeMarks } from '../../collecting/search-rounds.ts';
import { SinceBook } from '../../collecting/since-book.ts';
import type { Tally } from '../../collecting/tally.ts';
import { NewPosts } from './new-posts.ts';
import { readListing } from './read-submission.ts';
import { RedditApi, type RedditApiSettings } from './reddit-api.ts';

export interface RedditSettings extends RedditApiSettings {
  /** Communities, without `r/`, whose posts are all read. */
  readonly communities: readonly string[];
  readonly pollMs: number;
  readonly queriesMax: number;
  /** How often the last submissions are checked for edits and deletions. */
  readonly recheckMs: number;
}

const QUERY_LENGTH_MAX = 512;
const PAGE_MAX = 100;
const PAGES_MAX = 5;
const RECHECKED_MAX = 100;
/** The search finds submissions with a short delay. */
const OVERLAP_MS = 5 * 60_000;
const OLDEST_MS = 7 * 86_400_000;

/** All submissions of chosen communities, and matching submissions of all others. */
export function createRedditCollector(settings: RedditSettings): Collector {
  return pollingCollector(
    { platform: 'reddit', name: 'reddit' },
    (context, tally) => new RedditReading(settings, context, tally),
  );
}

class RedditReading implements PolledSource {
  private readonly settings: RedditSettings;
  private readonly api: RedditApi;
  private readonly context: CollectorContext;
  private readonly tally: Tally;
  private readonly emitter: PostEmitter;
  private readonly sinces: SinceBook;
  private readonly newPosts: NewPosts;
  private readonly searches: SearchRounds;
  /** Full names of the submissions emitted last. */
  private recent: readonly string[] = [];
  private recheckedMs: number;

  constructor(settings: RedditSettings, context: CollectorContext, tally: Tally) {
    this.settings = settings;
    this.api = new RedditApi(settings, context, tally);
    this.context = context;
    this.tally = tally;
    this.emitter = new PostEmitter(context, tally);
    this.recheckedMs = context.nowMs();
    const kept = parseFields(context.cursor.read() ?? '') ?? {};
    this.sinces = new SinceBook(kept.sinces);
    this.newPosts = new NewPosts(this.api, context, tally, fieldsOf(kept.places));
    this.searches = this.createSearches();
  }

  async round(): Promise<PollOutcome> {
    for (const community of this.settings.communities) {
      const ended = await this.newPosts.read(community, async (submissions) => {
        await this.emit(submissions.map(({ event }) => event));
        await this.keep();
      });
      if (ended !== null) return ended;
    }
    return (await this.recheck()) ?? (await this.search());
  }

  async close(): Promise<void> {
    await this.api.close();
  }

  private async search(): Promise<PollOutcome> {
    const outcome = await this.searches.round();
    const isIdle = outcome.kind === 'waiting' && outcome.reason === 'nothing-wanted';
    // Communities are read whether or not anything is wanted.
    if (!isIdle || this.settings.communities.length === 0) return outcome;
    return { kind: 'done', waitMs: this.settings.pollMs };
  }

  private createSearches(): SearchRounds {
    const { pollMs, queriesMax: groupsMax } = this.settings;
    const form = { start: '', joiner: ' OR ', end: '', lengthMax: QUERY_LENGTH_MAX, groupsMax };
    const platform = {
      form,
      pollMs,
      pagesMax: PAGES_MAX,
      terms: quotedTerms,
      marks: timeMarks(OVERLAP_MS, OLDEST_MS),
      readPage: async (query: string, since: bigint, page: string | null) =>
        await this.readPage(query, Number(since) - OVERLAP_MS, page),
    };
    const { context, tally, emitter, sinces } = this;
    const keep = async () => await this.keep();
    return new SearchRounds(platform, { context, tally, emitter, sinces, keep });
  }

  private async readPage(
    query: string,
    sinceMs: number,
    after: string | null,
  ): Promise<SearchPage | PollOutcome> {
    const answer = await this.api.get('/search', {
      q: query,
      sort: 'new',
      type: 'link',
      limit: PAGE_MAX,
      after,
    });
    if (answer.kind === 'closed') return unreadable();
    if (answer.kind !== 'json') return answer;
    const listing = readListing(answer.json, this.context.nowMs(), this.tally);
    if (listing === null) return unreadable();
    const fresh = listing.submissions.filter(({ createdAtMs }) => createdAtMs > sinceMs);
    this.remember(fresh.map(({ fullName }) => fullName));
    const [newest] = fresh;
    return {
      kind: 'page',
      events: fresh.map(({ event }) => event).reverse(),
      newest: newest === undefined ? null : BigInt(newest.createdAtMs),
      // The next page contains only known submissions.
      next: fresh.length < listing.submissions.length ? null : listing.after,
    };
  }

  /** Reads the last submissions again. Null when the round may continue. */
  private async recheck(): Promise<PollOutcome | null> {
    const nowMs = this.context.nowMs();
    if (this.recent.length === 0 || nowMs - this.recheckedMs < this.settings.recheckMs) return null;
    this.recheckedMs = nowMs;
    const answer = await this.api.get('/api/info', { id: this.recent.join(',') });
    if (answer.kind === 'closed') return null;
    if (answer.kind !== 'json') return answer;
    const listing = readListing(answer.json, nowMs, this.tally);
    await this.emitter.emit((listing?.submissions ?? []).map(({ event }) => event));
    return null;
  }

  private async emit(events: readonly PostEvent[]): Promise<void> {
    await this.emitter.emit(events);
    this.remember(
      events.flatMap((each) => (each.kind === 'post' ? [`t3_${each.post.postId}`] : [])),
    );
  }

  private remember(fullNames: readonly string[]): void {
    this.recent = [...new Set([...this.recent, ...fullNames])].slice(-RECHECKED_MAX);
  }

  private async keep(): Promise<void> {
    const cursor = { sinces: this.sinces.entries(), places: this.newPosts.entries() };
    await this.context.cursor.write(JSON.stringify(cursor));
  }
}

function unreadable(): PollOutcome {
  return {
    kind: 'failed',
    message: 'Reddit answered a search with something that is not a listing.',
  };
}
