import type { CollectorContext } from '../../collecting/collector.ts';
import type { PollOutcome } from '../../collecting/poll.ts';
import { type Fields, fieldsOf, idOf, millisecondsOf } from '../../collecting/read-fields.ts';
import type { Tally } from '../../collecting/tally.ts';
import { readListing, type Submission } from './read-submission.ts';
import type { RedditApi } from './reddit-api.ts';

/** Up to where a community was read. */
interface Place {
  /** The newest submission: what is listed before it is newer. */
  readonly name: string;
  readonly createdAtMs: number;
}

const PAGE_MAX = 100;
const PAGES_MAX = 10;
/** Of a community that was not read before. */
const LOOK_BACK_MS = 10 * 60_000;
/**
 * Nothing is listed before a submission that was deleted, however much is new: after so many empty
 * answers the listing is read without a place.
 */
const EMPTY_MAX = 5;

/** The newest submissions of communities, each since the last time. */
export class NewPosts {
  private readonly api: RedditApi;
  private readonly context: CollectorContext;
  private readonly tally: Tally;
  private readonly places = new Map<string, Place>();
  private readonly emptyAnswers = new Map<string, number>();

  /** `kept` is what `entries` gave once. */
  constructor(api: RedditApi, context: CollectorContext, tally: Tally, kept: Fields) {
    this.api = api;
    this.context = context;
    this.tally = tally;
    for (const [community, place] of Object.entries(kept)) {
      const name = idOf(fieldsOf(place).name);
      const createdAtMs = millisecondsOf(fieldsOf(place).createdAtMs);
      if (name !== null && createdAtMs !== null) this.places.set(community, { name, createdAtMs });
    }
  }

  entries(): Fields {
    return Object.fromEntries(this.places);
  }

  /** Gives each page to `onPage`, the oldest first; null when all was read. */
  async read(
    community: string,
    onPage: (submissions: readonly Submission[]) => Promise<void>,
  ): Promise<PollOutcome | null> {
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const place = this.placeToReadFrom(community);
      const answer = await this.api.get(`/r/${encodeURIComponent(community)}/new`, {
        limit: PAGE_MAX,
        before: place,
      });
      if (answer.kind === 'closed') return this.skip();
      if (answer.kind !== 'json') return answer;
      const listing = readListing(answer.json, this.context.nowMs(), this.tally);
      if (listing === null) {
        this.tally.add('malformed');
        return { kind: 'failed', message: 'Reddit answered with something that is no listing.' };
      }
      const fresh = this.fresh(community, listing.submissions, place === null);
      this.move(community, listing.submissions);
      await onPage(fresh.toReversed());
      if (place === null || listing.submissions.length < PAGE_MAX) return null;
    }
    return null;
  }

  private placeToReadFrom(community: string): string | null {
    const isStuck = (this.emptyAnswers.get(community) ?? 0) >= EMPTY_MAX;
    return isStuck ? null : (this.places.get(community)?.name ?? null);
  }

  /** All that is listed before a place is new; without one, only what is younger than what is known. */
  private fresh(
    community: string,
    submissions: readonly Submission[],
    isWhole: boolean,
  ): readonly Submission[] {
    if (!isWhole) return submissions;
    const known = this.places.get(community)?.createdAtMs;
    const sinceMs = known ?? this.context.nowMs() - LOOK_BACK_MS;
    return submissions.filter(({ createdAtMs }) => createdAtMs > sinceMs);
  }

  private move(community: string, [newest]: readonly Submission[]): void {
    const empty = this.emptyAnswers.get(community) ?? 0;
    this.emptyAnswers.set(community, newest === undefined && empty < EMPTY_MAX ? empty + 1 : 0);
    if (newest === undefined) return;
    this.places.set(community, { name: newest.fullName, createdAtMs: newest.createdAtMs });
  }

  private skip(): null {
    this.tally.add('failures');
    return null;
  }
}
