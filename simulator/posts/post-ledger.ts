import type { Address } from '../../src/model/units.ts';
import type { FeedEntry, Mention, PostRecord } from './social-post.ts';

/** The posts about a token in one minute. */
export interface PostMinute {
  /** Start of the minute, in milliseconds since 1970. */
  readonly minuteMs: number;
  readonly posts: number;
  /** Number of these deleted since; they are still counted. */
  readonly deleted: number;
  /** Followers of all accounts that posted in the minute, each account once. */
  readonly reach: number;
  /** Sum of the intended sentiments, in hundredths, as last edited. */
  readonly meantHundredths: number;
}

/** Selects the mentions that count. */
export type MentionFilter = (mention: Mention) => boolean;

/** Mentions that are unambiguous from the text alone. */
export const SAID_OUTRIGHT: MentionFilter = ({ by }) =>
  by === 'address' || by === 'link' || by === 'handle';

type OpenMinute = { -readonly [Field in keyof PostMinute]: PostMinute[Field] };

const MINUTE_MS = 60_000;

/**
 * The series of posts by token and minute, from the ground truth: posts, reach and intended
 * sentiment. A post about several tokens counts for each; a deletion changes no count, an edit only
 * the sentiment.
 */
export class PostLedger {
  private readonly counts: MentionFilter;
  private readonly series = new Map<Address, Map<number, OpenMinute>>();
  /** Accounts that posted in a token's newest minute; posts arrive in order of time. */
  private readonly authors = new Map<Address, { minuteMs: number; readonly ids: Set<string> }>();

  constructor(counts: MentionFilter = () => true) {
    this.counts = counts;
  }

  apply({ record, truth }: FeedEntry): void {
    const minuteMs = Math.floor(truth.postedAtMs / MINUTE_MS) * MINUTE_MS;
    for (const mention of truth.about) {
      if (this.counts(mention)) this.applyMention(mention, record, minuteMs);
    }
    for (const mention of truth.before ?? []) {
      if (!this.counts(mention)) continue;
      this.minuteOf(mention.mint, minuteMs).meantHundredths -= hundredths(mention);
    }
  }

  /** Minutes with posts, oldest first. */
  minutesOf(mint: Address): readonly PostMinute[] {
    return [...(this.series.get(mint)?.values() ?? [])];
  }

  /** Tokens with posts, in the order of their first ones. */
  get mints(): readonly Address[] {
    return [...this.series.keys()];
  }

  private applyMention(mention: Mention, record: PostRecord, minuteMs: number): void {
    const minute = this.minuteOf(mention.mint, minuteMs);
    if (record.kind === 'delete') {
      minute.deleted++;
      return;
    }
    minute.meantHundredths += hundredths(mention);
    if (record.kind === 'edit') return;
    minute.posts++;
    const { platform, author } = record;
    if (this.isNewAuthor(mention.mint, minuteMs, `${platform}/${author.id}`)) {
      minute.reach += author.followers;
    }
  }

  private isNewAuthor(mint: Address, minuteMs: number, id: string): boolean {
    const known = this.authors.get(mint);
    if (known?.minuteMs !== minuteMs) {
      this.authors.set(mint, { minuteMs, ids: new Set([id]) });
      return true;
    }
    const isNew = !known.ids.has(id);
    known.ids.add(id);
    return isNew;
  }

  private minuteOf(mint: Address, minuteMs: number): OpenMinute {
    const minutes = this.series.get(mint) ?? new Map<number, OpenMinute>();
    this.series.set(mint, minutes);
    const known = minutes.get(minuteMs);
    if (known !== undefined) return known;
    const minute = { minuteMs, posts: 0, deleted: 0, reach: 0, meantHundredths: 0 };
    minutes.set(minuteMs, minute);
    return minute;
  }
}

function hundredths({ meantSentiment }: Mention): number {
  return Math.round(meantSentiment * 100);
}
