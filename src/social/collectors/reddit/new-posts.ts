import type { CollectorContext } from '../../collecting/collector.ts';
import type { PollOutcome } from '../../collecting/poll.ts';
import { type Fields, fieldsOf, idOf, millisecondsOf } from '../../collecting/read-fields.ts';
import type { Tally } from '../../collecting/tally.ts';
import { readListing, type Submission } from './read-submission.ts';
import type { RedditApi } from './reddit-api.ts';

/** The position up to which a community was read. */
interface Position {
  /** The newest submission read: submissions listed before it are newer. */
  readonly name: string;
  readonly createdAtMs: number;
}

const PAGE_MAX = 100;
const PAGES_MAX = 10;
/** How far back a new community is read. */
const LOOK_BACK_MS = 10 * 60_000;
/**
 * A listing before a deleted submission is always empty: after this many empty answers the listing
 * is read without a position.
 */
const EMPTY_MAX = 5;

/** Reads the submissions of communities since the last round. */
export class NewPosts {
  private readonly api: RedditApi;
  private readonly context: CollectorContext;
  private readonly tally: Tally;
  private readonly positions = new Map<string, Position>();
  private readonly emptyAnswers = new Map<string, number>();

  /** `kept` is an earlier result of `entries`. */
  constructor(api: RedditApi, context: CollectorContext, tally: Tally, kept: Fields) {
    this.api = api;
    this.context = context;
    this.tally = tally;
    for (const [community, position] of Object.entries(kept)) {
      const name = idOf(fieldsOf(position).name);
      const createdAtMs = millisecondsOf(fieldsOf(position).createdAtMs);
      if (name !== null && createdAtMs !== null) {
        this.positions.set(community, { name, createdAtMs });
      }
    }
  }

  entries(): Fields {
    return Object.fromEntries(this.positions);
  }

  /** Passes each page to `onPage`, the oldest first. Null when all pages were read. */
  async read(
    community: string,
    onPage: (submissions: readonly Submission[]) => Promise<void>,
  ): Promise<PollOutcome | null> {
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const position = this.positionToReadFrom(community);
      const answer = await this.api.get(`/r/${encodeURIComponent(community)}/new`, {
        limit: PAGE_MAX,
        before: position,
      });
      if (answer.kind === 'closed') return this.skip();
      if (answer.kind !== 'json') return answer;
      const listing = readListing(answer.json, this.context.nowMs(), this.tally);
      if (listing === null) {
        this.tally.add('malformed');
        return { kind: 'failed', message: 'Reddit answered with something that is not a listing.' };
      }
      const fresh = this.fresh(community, listing.submissions, position === null);
      this.move(community, listing.submissions);
      await onPage(fresh.toReversed());
      if (position === null || listing.submissions.length < PAGE_MAX) return null;
    }
    return null;
  }

  private positionToReadFrom(community: string): string | null {
    const isStuck = (this.emptyAnswers.get(community) ?? 0) >= EMPTY_MAX;
    return isStuck ? null : (this.positions.get(community)?.name ?? null);
  }

  /**
   * With a position all listed submissions are new; without one, only those after the known time.
   */
  private fresh(
    community: string,
    submissions: readonly Submission[],
    isWhole: boolean,
  ): readonly Submission[] {
    if (!isWhole) return submissions;
    const known = this.positions.get(community)?.createdAtMs;
    const sinceMs = known ?? this.context.nowMs() - LOOK_BACK_MS;
    return submissions.filter(({ createdAtMs }) => createdAtMs > sinceMs);
  }

  private move(community: string, [newest]: readonly Submission[]): void {
    const empty = this.emptyAnswers.get(community) ?? 0;
    this.emptyAnswers.set(community, newest === undefined && empty < EMPTY_MAX ? empty + 1 : 0);
    if (newest === undefined) return;
    this.positions.set(community, { name: newest.fullName, createdAtMs: newest.createdAtMs });
  }

  private skip(): null {
    this.tally.add('failures');
    return null;
  }
}
