import type { PostEvent, TrackedToken } from '../../src/model/social-post.ts';
import { buildAuthor, buildPost, buildTracked, POSTED_MS } from './build-post.ts';
import { address } from './build-transaction.ts';

const MINUTE_MS = 60_000;
const POSTS = 1_200;
/** The time at which all posts are read. */
export const STORY_NOW_MS = POSTED_MS + 9 * MINUTE_MS;
const MOODS = [-0.75, 0, 0.25, 1];

export const STORY_TOKENS: readonly TrackedToken[] = [0, 1, 2].map((at) =>
  buildTracked({ mint: address(`story ${at}`), symbol: null }),
);

/** Mood of a text of the story. */
export function storyMood(text: string): number {
  return MOODS[Number(/mood(\d)/.exec(text)?.[1] ?? 1)] ?? 0;
}

/** Posts about three tokens in eight minutes, some of them edited, deleted, repeated or copied. */
export function storyEvents(): PostEvent[] {
  return Array.from({ length: POSTS }, (_, at) => newsAt(at));
}

function newsAt(at: number): PostEvent {
  const postId = `p${at % 11 === 10 ? at - 10 : at}`;
  if (at % 13 === 12) return { kind: 'deleted', platform: 'x', postId: `p${at - 7}` };
  const mints = STORY_TOKENS.filter((_, token) => (at >> token) % 2 === 0).map(({ mint }) => mint);
  const words = at % 5 === 0 ? 'all the same words' : `own${at} words${at * 7} of${at * 13}`;
  return {
    kind: 'post',
    post: buildPost({
      ...{ platform: 'x', postId, reposts: at % 4 },
      author: buildAuthor({ id: `a${at % 97}`, followers: (at * 7_919) % 50_000 }),
      text: `mood${at % 4} ${words} ${mints.join(' ')}`,
      createdAtMs: POSTED_MS + ((at * 397) % (8 * MINUTE_MS)),
    }),
  };
}
