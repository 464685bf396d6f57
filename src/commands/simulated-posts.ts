import type { FeedEntry, PostRecord, SocialPost } from '../../simulator/posts/social-post.ts';
import { type Clock, monotonicClock } from '../lib/clock.ts';
import { RecentMap } from '../lib/recent-map.ts';
import { StoreError } from '../model/errors.ts';
import type { PostEvent } from '../model/social-post.ts';
import { readPosts } from '../social/collectors/import/read-posts.ts';

const POLL_MS = 1_000;
/** Delay of posts, so that their tokens are tracked before the posts arrive. */
const DELAY_MS = 3_000;
/** Maximum number of delayed batches, one per second; further posts stay in the simulation. */
const DELAYED_MAX = 60;
/** Number of posts kept for edits, which contain only the post ID and arrive within minutes. */
const REMEMBERED_MAX = 20_000;
const DAY_MS = 86_400_000;

export interface SimulatedPostsParts {
  /** Returns the posts since the last call. */
  readonly take: () => readonly FeedEntry[];
  /** Returns false while there is no capacity. Throws StoreError if the database refuses. */
  readonly put: (events: readonly PostEvent[]) => boolean;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Passes the posts of a simulated market to the service until the signal, in the format of `posts
 * import`. Posts without capacity are retried; meanwhile no further posts are taken.
 */
export async function bringPosts(parts: SimulatedPostsParts): Promise<void> {
  const { take, put, signal, clock = monotonicClock } = parts;
  const posts = new RecentMap<string, SocialPost>(REMEMBERED_MAX);
  const delayed: { readonly dueMs: number; readonly events: readonly PostEvent[] }[] = [];
  while (!signal.aborted) {
    const nowMs = clock.nowMs();
    if (delayed.length < DELAYED_MAX) {
      delayed.push({ dueMs: nowMs + DELAY_MS, events: await eventsOf(take(), posts) });
    }
    for (let next = delayed[0]; next !== undefined && next.dueMs <= nowMs; next = delayed[0]) {
      if (!isPut(put, next.events)) break;
      delayed.shift();
    }
    await clock.sleep(POLL_MS, signal);
  }
}

function isPut(put: SimulatedPostsParts['put'], events: readonly PostEvent[]): boolean {
  try {
    return events.length === 0 || put(events);
  } catch (error) {
    // Another thread is writing.
    if (error instanceof StoreError) return false;
    throw error;
  }
}

/**
 * The posts of a simulated market in the format of `posts import`. `posts` remembers those that may
 * be edited.
 */
export async function eventsOf(
  entries: readonly FeedEntry[],
  posts: RecentMap<string, SocialPost>,
): Promise<readonly PostEvent[]> {
  const lines = entries.flatMap(({ record }) => lineOf(record, posts));
  const events: PostEvent[] = [];
  for await (const batch of readPosts(once(lines.join('\n')), Date.now)) {
    for (const line of batch) if (line.kind === 'event') events.push(line.event);
  }
  return events;
}

/** A line of `posts import`; none for an edit of a post that is no longer kept. */
function lineOf(record: PostRecord, posts: RecentMap<string, SocialPost>): string[] {
  const { kind, platform, postId } = record;
  if (kind === 'delete') return [JSON.stringify({ platform, postId, deleted: true })];
  const name = `${platform} ${postId}`;
  const post = kind === 'post' ? record : posts.peek(name);
  if (post === undefined) return [];
  posts.set(name, post);
  const { author, postedAtMs, engagement } = post;
  const ageDays = Math.max(1, (postedAtMs - author.createdAtMs) / DAY_MS);
  return [
    JSON.stringify({
      platform,
      postId,
      text: record.text,
      reposts: engagement.reposts,
      author: { ...author, postCount: Math.round(author.postsPerDay * ageDays) },
      createdAtMs: postedAtMs,
    }),
  ];
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
