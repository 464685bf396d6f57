import type { PostEvent } from '../../model/social-post.ts';
import type { CollectorContext, Wanted } from './collector.ts';
import type { PollOutcome } from './poll.ts';
import type { PostEmitter } from './post-emitter.ts';
import type { SinceBook } from './since-book.ts';
import type { Tally } from './tally.ts';
import { groupTerms, type QueryForm, type Term, type TermGroup } from './term-groups.ts';

export interface SearchPage {
  readonly kind: 'page';
  /** Newest first, as all these platforms return them. */
  readonly events: readonly PostEvent[];
  /** Mark of the newest post; null for an empty page. */
  readonly newest: bigint | null;
  /** Identifies the next page; null for the last one. */
  readonly next: string | null;
}

/** A platform that can be searched for posts with given terms. */
export interface SearchedPlatform {
  readonly form: QueryForm;
  readonly pollMs: number;
  readonly pagesMax: number;
  terms(wanted: Wanted): readonly Term[];
  /** The mark for new terms, and the oldest mark that the platform can search from. */
  marks(nowMs: number): { readonly fresh: bigint; readonly oldest: bigint };
  /** `refused`: the platform does not understand this one query. */
  readPage(
    query: string,
    since: bigint,
    page: string | null,
  ): Promise<SearchPage | PollOutcome | { readonly kind: 'refused' }>;
}

export interface SearchParts {
  readonly context: CollectorContext;
  readonly tally: Tally;
  readonly emitter: PostEmitter;
  readonly sinces: SinceBook;
  /** Saves the marks and everything else that the collector continues from. */
  readonly keep: () => Promise<void>;
}

/** Searches for all wanted terms, query by query. Continues a round that ended early. */
export class SearchRounds {
  private readonly platform: SearchedPlatform;
  private readonly parts: SearchParts;
  private nextGroup = 0;

  constructor(platform: SearchedPlatform, parts: SearchParts) {
    this.platform = platform;
    this.parts = parts;
  }

  async round(): Promise<PollOutcome> {
    const { context, tally, sinces } = this.parts;
    const { form, pollMs } = this.platform;
    const terms = this.platform.terms(context.wanted());
    const { groups, left } = groupTerms(terms, form);
    tally.set('unasked', left);
    sinces.keepOnly(groups.flatMap(({ keys }) => keys));
    if (groups.length === 0) return nothingWanted(context.nowMs() + pollMs);
    let refused = 0;
    for (let count = 0; count < groups.length; count++) {
      const group = groups[this.nextGroup % groups.length];
      const ended = group === undefined ? 'read' : await this.search(group);
      if (context.signal.aborted) break;
      if (typeof ended !== 'string') return ended;
      if (ended === 'refused') refused++;
      this.nextGroup = (this.nextGroup + 1) % groups.length;
    }
    tally.add('failures', refused);
    if (refused < groups.length) return { kind: 'done', waitMs: pollMs };
    return { kind: 'failed', message: 'The platform refuses every query.' };
  }

  /** Returns `read` when all posts since the last time were read. */
  private async search({ keys, query }: TermGroup): Promise<PollOutcome | 'read' | 'refused'> {
    const { context, tally, emitter, sinces, keep } = this.parts;
    const { since, isGap } = sinces.startOf(keys, this.platform.marks(context.nowMs()));
    if (isGap) tally.add('gaps');
    let newest = since;
    let next: string | null = null;
    for (let pages = 0; pages < this.platform.pagesMax; pages++) {
      const page = await this.platform.readPage(query, since, next);
      if (page.kind === 'refused') return page.kind;
      if (page.kind !== 'page') return page;
      await emitter.emit(page.events);
      if (page.newest !== null && page.newest > newest) newest = page.newest;
      next = page.next;
      if (next === null) break;
      await keep();
    }
    // Posts older than the last requested page are skipped, or new ones would never be reached.
    if (next !== null) tally.add('gaps');
    sinces.advance(keys, newest);
    await keep();
    return 'read';
  }
}

/** The marks of a platform that marks posts by their time, in milliseconds since 1970. */
export function timeMarks(overlapMs: number, oldestMs: number): SearchedPlatform['marks'] {
  return (nowMs) => ({ fresh: BigInt(nowMs - overlapMs), oldest: BigInt(nowMs - oldestMs) });
}

export function nothingWanted(untilMs: number): PollOutcome {
  const message = 'No token is tracked yet.';
  return { kind: 'waiting', reason: 'nothing-wanted', untilMs, message };
}
