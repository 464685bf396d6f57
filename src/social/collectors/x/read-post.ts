/**
 * Posts of the X API v2 (https://docs.x.com/x-api). An edited post is a new post that lists its
 * earlier versions; the first of them is its identity. Texts beyond 280 characters are in
 * `note_tweet`; links in a text are shortened, and `entities` contains them in full.
 */
import type { PostAuthor, SocialPost } from '../../../model/social-post.ts';
import { postAddress } from '../../collecting/post-address.ts';
import {
  bareAuthor,
  countOf,
  type Fields,
  fieldsOf,
  handleOf,
  idOf,
  instantOf,
  isFields,
  linksOf,
  listOf,
  notAhead,
  postTextOf,
} from '../../collecting/read-fields.ts';
import type { Tally } from '../../collecting/tally.ts';

/** The fields requested with every post. */
export const POST_FIELDS = {
  'tweet.fields': 'author_id,created_at,edit_history_tweet_ids,entities,note_tweet,public_metrics',
  expansions: 'author_id',
  'user.fields': 'created_at,public_metrics,username',
} as const;

/** Ids are decimal numbers, beyond 2^53, that grow with time. */
export function numericId(value: unknown): string | null {
  return typeof value === 'string' && /^[1-9]\d{0,18}$/.test(value) ? value : null;
}

/** The accounts included with posts, by id. */
export function readUsers(includes: unknown): ReadonlyMap<string, Fields> {
  const users = new Map<string, Fields>();
  for (const user of listOf(fieldsOf(includes).users)) {
    const id = numericId(fieldsOf(user).id);
    if (id !== null && isFields(user)) users.set(id, user);
  }
  return users;
}

/** Null for anything that is not a post, which is counted as malformed. */
export function readPost(
  value: unknown,
  users: ReadonlyMap<string, Fields>,
  nowMs: number,
  tally: Tally,
): SocialPost | null {
  const fields = fieldsOf(value);
  const id = numericId(fields.id);
  const authorId = numericId(fields.author_id);
  const text = postTextOf(fieldsOf(fields.note_tweet).text) ?? postTextOf(fields.text);
  const createdAtMs = instantOf(fields.created_at);
  if (id === null || authorId === null || text === null || createdAtMs === null) {
    tally.add('malformed');
    return null;
  }
  const author = readAuthor(authorId, users.get(authorId));
  return {
    platform: 'x',
    postId: numericId(listOf(fields.edit_history_tweet_ids)[0]) ?? id,
    author,
    text,
    url: postAddress({ platform: 'x', postId: id, author }),
    links: linksOf([...linksIn(fields.entities), ...linksIn(fieldsOf(fields.note_tweet).entities)]),
    reposts: countOf(fieldsOf(fields.public_metrics).retweet_count),
    createdAtMs: notAhead(createdAtMs, nowMs, tally),
  };
}

function readAuthor(id: string, user: Fields | undefined): PostAuthor {
  if (user === undefined) return bareAuthor(id, null);
  const metrics = fieldsOf(user.public_metrics);
  const handle = handleOf(user.username);
  return {
    id,
    handle: handle !== null && /^\w{1,15}$/.test(handle) ? handle : null,
    followers: countOf(metrics.followers_count),
    following: countOf(metrics.following_count),
    createdAtMs: instantOf(user.created_at),
    postCount: countOf(metrics.tweet_count),
  };
}

function linksIn(entities: unknown): unknown[] {
  return listOf(fieldsOf(entities).urls).map((url) => {
    const { unwound_url, expanded_url } = fieldsOf(url);
    return idOf(unwound_url) ?? expanded_url;
  });
}
