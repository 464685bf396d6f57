import { hash } from 'node:crypto';
import { RecentMap } from '../../lib/recent-map.ts';
import type { PostEvent, SocialPost } from '../../model/social-post.ts';
import { type CollectorContext, EVENT_BATCH_MAX } from './collector.ts';
import type { Tally } from './tally.ts';

/** Posts whose last emitted state is known. */
const KNOWN_MAX = 20_000;
const DELETED = 'deleted';

/**
 * Emits each event once: unchanged repeats are dropped, an edited post is emitted again. Only
 * recent posts of this run are known, so the receiver must still recognise repeats.
 */
export class PostEmitter {
  private readonly known = new RecentMap<string, string>(KNOWN_MAX);
  private readonly context: CollectorContext;
  private readonly tally: Tally;

  constructor(context: CollectorContext, tally: Tally) {
    this.context = context;
    this.tally = tally;
  }

  /** Emits the new events, in order. */
  async emit(events: readonly PostEvent[]): Promise<void> {
    const fresh = events.filter((each) => this.isFresh(each));
    for (let at = 0; at < fresh.length; at += EVENT_BATCH_MAX) {
      await this.context.emit(fresh.slice(at, at + EVENT_BATCH_MAX));
    }
  }

  private isFresh(event: PostEvent): boolean {
    const id = event.kind === 'post' ? event.post.postId : event.postId;
    const print = event.kind === 'post' ? fingerprint(event.post) : DELETED;
    if (this.known.get(id) === print) {
      this.tally.add('repeats');
      return false;
    }
    this.known.set(id, print);
    this.tally.add(event.kind === 'post' ? 'posts' : 'deletions');
    return true;
  }
}

/** Covers the fields that an edit changes; a change of followers is not an edit. */
function fingerprint({ text, links, reposts }: SocialPost): string {
  return hash('sha256', JSON.stringify([text, links, reposts]), 'base64');
}
