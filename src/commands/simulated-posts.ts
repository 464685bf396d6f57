import type { FeedEntry, PostRecord, SocialPost } from '../../simulator/posts/social-post.ts';
import { type Clock, monotonicClock } from '../lib/clock.ts';
import { RecentMap } from '../lib/recent-map.ts';
import { StoreError } from '../model/errors.ts';
import type { PostEvent } from '../model/social-post.ts';
import { readPosts } from '../social/collectors/import/read-posts.ts';

const LOOK_MS = 1_000;
/** That a token is tracked has to be known before its posts come. */
const HOLD_MS = 3_000;
/** So many seconds of posts wait here for room; those after them wait in the simulation. */
const HELD_MAX = 60;
/** An edit names its post alone; it comes within minutes. */
const REMEMBERED_MAX = 20_000;
const DAY_MS = 86_400_000;

export interface SimulatedPostsParts {
  /** What was posted since the last call. */
  readonly take: () => readonly FeedEntry[];
  /** False while there is no room. Throws StoreError when the database refuses. */
  readonly put: (events: readonly PostEvent[]) => boolean;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Hands what people post in a simulated market over to the service, as lines that `posts import`
 * would read, until the signal. What finds no room is tried again; meanwhile nothing more is taken.
 */
export async function bringPosts(parts: SimulatedPostsParts): Promise<void> {
  const { take, put, signal, clock = monotonicClock } = parts;
  const posts = new RecentMap<string, SocialPost>(REMEMBERED_MAX);
  const held: { readonly dueMs: number; readonly events: readonly PostEvent[] }[] = [];
  while (!signal.aborted) {
    const nowMs = clock.nowMs();
    if (held.length < HELD_MAX) {
      held.push({ dueMs: nowMs + HOLD_MS, events: await eventsOf(take(), posts) });
    }
    for (let next = held[0]; next !== undefined && next.dueMs <= nowMs; next = held[0]) {
      if (!isPut(put, next.events)) break;
      held.shift();
    }
    await clock.sleep(LOOK_MS, signal);
  }
}

function isPut(put: SimulatedPostsParts['put'], events: readonly PostEvent[]): boolean {
  try {
    return events.length === 0 || put(events);
  } catch (error) {
    // Another thread writes at the moment.
    if (error instanceof StoreError) return false;
    throw error;
  }
}

async function eventsOf(
  entries: readonly FeedEntry[],
  posts: RecentMap<string, SocialPost>,
): Promise<readonly PostEvent[]> {
  const lines = entries.flatMap(({ record }) => lineOf(record, posts));
  const events: PostEvent[] = [];
  for await (const batch of readPosts(once(lines.join('\n')), Date.now)) {
    for (const line of batch) if (line.kind === 'news') events.push(line.events);
  }
  return events;
}

/** A line of `posts import`; none for an edit of a post that is forgotten. */
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
      ...{ platform, postId, text: record.text, reposts: engagement.reposts },
      author: { ...author, postCount: Math.round(author.postsPerDay * ageDays) },
      createdAtMs: postedAtMs,
    }),
  ];
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
