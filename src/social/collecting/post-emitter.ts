import { hash } from 'node:crypto';
import { RecentMap } from '../../lib/recent-map.ts';
import type { PostEvent, SocialPost } from '../../model/social-post.ts';
import { type CollectorContext, EVENT_BATCH_MAX } from './collector.ts';
import type { Tally } from './tally.ts';

/** Posts of which it is known what was told last. */
const KNOWN_MAX = 20_000;
const DELETED = 'deleted';

/**
 * Tells news once: what comes again as it was told is left out, an edited post is told again. Only
 * the posts of this run and of late are known, so that its reader must know repeats all the same.
 */
export class PostEmitter {
  private readonly known = new RecentMap<string, string>(KNOWN_MAX);
  private readonly context: CollectorContext;
  private readonly tally: Tally;

  constructor(context: CollectorContext, tally: Tally) {
    this.context = context;
    this.tally = tally;
  }

  /** In their order. */
  async tell(events: readonly PostEvent[]): Promise<void> {
    const fresh = events.filter((each) => this.isFresh(each));
    for (let at = 0; at < fresh.length; at += EVENT_BATCH_MAX) {
      await this.context.tell(fresh.slice(at, at + EVENT_BATCH_MAX));
    }
  }

  private isFresh(events: PostEvent): boolean {
    const id = events.kind === 'post' ? events.post.postId : events.postId;
    const print = events.kind === 'post' ? fingerprint(events.post) : DELETED;
    if (this.known.get(id) === print) {
      this.tally.add('repeats');
      return false;
    }
    this.known.set(id, print);
    this.tally.add(events.kind === 'post' ? 'posts' : 'deletions');
    return true;
  }
}

/** Of what an edit changes; followers change all the time and make no news. */
function fingerprint({ text, links, reposts }: SocialPost): string {
  return hash('sha256', JSON.stringify([text, links, reposts]), 'base64');
}
