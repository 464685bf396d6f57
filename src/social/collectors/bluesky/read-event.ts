/**
 * Events of Jetstream (https://github.com/bluesky-social/jetstream-legacy): commits of records
 * `app.bsky.feed.post` as JSON, with the server's timestamp in microseconds.
 */
import type { SocialPost } from '../../../model/social-post.ts';
import { postAddress } from '../../collecting/post-address.ts';
import {
  bareAuthor,
  type Fields,
  fieldsOf,
  instantOf,
  isFields,
  linksOf,
  listOf,
  notAhead,
  parseFields,
  postTextOf,
} from '../../collecting/read-fields.ts';
import type { Tally } from '../../collecting/tally.ts';

export const POSTS = 'app.bsky.feed.post';

export type JetstreamEvent =
  | {
      readonly kind: 'post';
      readonly timeUs: number;
      /** Whether the record replaces another. */
      readonly isUpdate: boolean;
      readonly post: SocialPost;
    }
  | { readonly kind: 'deleted'; readonly timeUs: number; readonly postId: string }
  /** An event of an account or another record, or an unknown event. */
  | { readonly kind: 'other'; readonly timeUs: number | null };

const ACCOUNT = /^did:[a-z]{2,10}:[A-Za-z0-9._:%-]{1,150}$/;
const RECORD_KEY = /^[A-Za-z0-9._:~-]{1,64}$/;
const MICROSECONDS = 1_000;

/** Reads a frame. A frame that is not an event is counted as malformed. */
export function readEvent(frame: string, nowMs: number, tally: Tally): JetstreamEvent {
  const event = parseFields(frame);
  const timeUs = event === null ? null : microsecondsOf(event.time_us);
  if (event === null || timeUs === null) return malformed(null, tally);
  if (event.kind !== 'commit') return { kind: 'other', timeUs };
  const commit = fieldsOf(event.commit);
  if (commit.collection !== POSTS) return { kind: 'other', timeUs };
  const { did } = event;
  const { rkey, operation, record } = commit;
  if (typeof did !== 'string' || !ACCOUNT.test(did)) return malformed(timeUs, tally);
  if (typeof rkey !== 'string' || !RECORD_KEY.test(rkey)) return malformed(timeUs, tally);
  const postId = `${did}/${rkey}`;
  if (operation === 'delete') return { kind: 'deleted', timeUs, postId };
  if (operation !== 'create' && operation !== 'update') return malformed(timeUs, tally);
  const post = isFields(record) ? readRecord(record, { did, rkey, timeUs }, nowMs, tally) : null;
  if (post === null) return malformed(timeUs, tally);
  return { kind: 'post', timeUs, isUpdate: operation === 'update', post };
}

/**
 * The author's client dates a post. As in Bluesky itself, the earlier of that date and the server's
 * is used, and the server's date replaces an invalid one.
 */
function readRecord(
  record: Fields,
  { did, rkey, timeUs }: { readonly did: string; readonly rkey: string; readonly timeUs: number },
  nowMs: number,
  tally: Tally,
): SocialPost | null {
  const text = postTextOf(record.text);
  if (text === null) return null;
  const seenMs = Math.min(nowMs, Math.floor(timeUs / MICROSECONDS));
  const dated = instantOf(record.createdAt);
  const identity = {
    platform: 'bluesky',
    postId: `${did}/${rkey}`,
    author: bareAuthor(did, null),
  } as const;
  return {
    ...identity,
    text,
    url: postAddress(identity),
    links: linksOf(linksIn(record)),
    reposts: null,
    createdAtMs: dated === null ? seenMs : notAhead(dated, seenMs, tally),
  };
}

function* linksIn(record: Fields): Generator<unknown> {
  for (const facet of listOf(record.facets)) {
    for (const feature of listOf(fieldsOf(facet).features)) yield fieldsOf(feature).uri;
  }
  const embed = fieldsOf(record.embed);
  yield fieldsOf(embed.external).uri;
  // A quoted post with other media.
  yield fieldsOf(fieldsOf(embed.media).external).uri;
}

function microsecondsOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function malformed(timeUs: number | null, tally: Tally): JetstreamEvent {
  tally.add('malformed');
  return { kind: 'other', timeUs };
}
