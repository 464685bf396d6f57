/** Casts in Neynar's format (https://docs.neynar.com/reference/search-casts). */
import type { PostAuthor, SocialPost } from '../../../model/social-post.ts';
import { postAddress } from '../../collecting/post-address.ts';
import {
  countOf,
  fieldsOf,
  handleOf,
  idOf,
  instantOf,
  linksOf,
  listOf,
  notAhead,
  postTextOf,
} from '../../collecting/read-fields.ts';
import type { Tally } from '../../collecting/tally.ts';

const HASH = /^0x[0-9a-f]{40}$/i;

/** Null for anything that is not a cast, which is counted as malformed. */
export function readCast(value: unknown, nowMs: number, tally: Tally): SocialPost | null {
  const cast = fieldsOf(value);
  const postId = idOf(cast.hash)?.toLowerCase() ?? null;
  const author = readAuthor(cast.author);
  const text = postTextOf(cast.text);
  const createdAtMs = instantOf(cast.timestamp);
  if (postId === null || !HASH.test(postId) || author === null) return malformed(tally);
  if (text === null || createdAtMs === null) return malformed(tally);
  return {
    platform: 'farcaster',
    postId,
    author,
    text,
    url: postAddress({ platform: 'farcaster', postId, author }),
    links: linksOf(listOf(cast.embeds).map((embed) => fieldsOf(embed).url)),
    reposts: countOf(fieldsOf(cast.reactions).recasts_count),
    createdAtMs: notAhead(createdAtMs, nowMs, tally),
  };
}

function readAuthor(value: unknown): PostAuthor | null {
  const user = fieldsOf(value);
  const fid = countOf(user.fid);
  if (fid === null) return null;
  return {
    id: String(fid),
    handle: handleOf(user.username),
    followers: countOf(user.follower_count),
    following: countOf(user.following_count),
    createdAtMs: instantOf(user.registered_at),
    postCount: null,
  };
}

function malformed(tally: Tally): null {
  tally.add('malformed');
  return null;
}
