import { hash } from 'node:crypto';
import { RecentMap } from '../../lib/recent-map.ts';
import type { PostNews, SocialPost } from '../../model/social-post.ts';
import { type CollectorContext, NEWS_BATCH_MAX } from './collector.ts';
import type { Tally } from './tally.ts';

/** Posts of which it is known what was told last. */
const KNOWN_MAX = 20_000;
const DELETED = 'deleted';

/**
 * Tells news once: what comes again as it was told is left out, an edited post is told again. Only
 * the posts of this run and of late are known, so that its reader must know repeats all the same.
 */
export class Teller {
  private readonly known = new RecentMap<string, string>(KNOWN_MAX);
  private readonly context: CollectorContext;
  private readonly tally: Tally;

  constructor(context: CollectorContext, tally: Tally) {
    this.context = context;
    this.tally = tally;
  }

  /** In their order. */
  async tell(news: readonly PostNews[]): Promise<void> {
    const fresh = news.filter((each) => this.isFresh(each));
    for (let at = 0; at < fresh.length; at += NEWS_BATCH_MAX) {
      await this.context.tell(fresh.slice(at, at + NEWS_BATCH_MAX));
    }
  }

  private isFresh(news: PostNews): boolean {
    const id = news.kind === 'post' ? news.post.postId : news.postId;
    const print = news.kind === 'post' ? fingerprint(news.post) : DELETED;
    if (this.known.get(id) === print) {
      this.tally.add('repeats');
      return false;
    }
    this.known.set(id, print);
    this.tally.add(news.kind === 'post' ? 'posts' : 'deletions');
    return true;
  }
}

/** Of what an edit changes; followers change all the time and make no news. */
function fingerprint({ text, links, reposts }: SocialPost): string {
  return hash('sha256', JSON.stringify([text, links, reposts]), 'base64');
}
