/**
 * Submissions of Reddit's listings (https://www.reddit.com/dev/api), requested with `raw_json=1`,
 * because `<`, `>` and `&` are otherwise escaped as entities.
 */
import type { PostEvent } from '../../../model/social-post.ts';
import { postAddress } from '../../collecting/post-address.ts';
import {
  bareAuthor,
  countOf,
  type Fields,
  fieldsOf,
  handleOf,
  idOf,
  linksOf,
  listOf,
  notAhead,
  postTextOf,
  secondsOf,
} from '../../collecting/read-fields.ts';
import type { Tally } from '../../collecting/tally.ts';

export interface Submission {
  /** `t3_…`, the name by which listings are paged. */
  readonly fullName: string;
  readonly createdAtMs: number;
  readonly event: PostEvent;
}

const FULL_NAME = /^t3_[0-9a-z]{1,13}$/;
const GONE = new Set(['[deleted]', '[removed]']);

/** The submissions of a listing, in its order; null for anything that is not a listing. */
export function readListing(
  json: unknown,
  nowMs: number,
  tally: Tally,
): { readonly submissions: readonly Submission[]; readonly after: string | null } | null {
  const { data } = fieldsOf(json);
  const { children, after } = fieldsOf(data);
  if (!Array.isArray(children)) return null;
  const submissions = listOf(children).flatMap((child) => {
    const { kind, data: fields } = fieldsOf(child);
    return kind === 't3' ? (readSubmission(fieldsOf(fields), nowMs, tally) ?? []) : [];
  });
  const next = idOf(after);
  return { submissions, after: next !== null && FULL_NAME.test(next) ? next : null };
}

function readSubmission(fields: Fields, nowMs: number, tally: Tally): Submission | null {
  const fullName = idOf(fields.name);
  const created = secondsOf(fields.created_utc);
  const title = postTextOf(fields.title);
  if (fullName === null || !FULL_NAME.test(fullName) || created === null || title === null) {
    tally.add('malformed');
    return null;
  }
  const createdAtMs = notAhead(created, nowMs, tally);
  const postId = fullName.slice('t3_'.length);
  if (isGone(fields)) {
    return { fullName, createdAtMs, event: { kind: 'deleted', platform: 'reddit', postId } };
  }
  const name = handleOf(fields.author);
  const authorId = idOf(fields.author_fullname) ?? idOf(name);
  if (authorId === null) {
    tally.add('malformed');
    return null;
  }
  const author = bareAuthor(authorId, name);
  const post = {
    platform: 'reddit',
    postId,
    author,
    text: textOf(title, fields.selftext),
    url: pageOf(fields.permalink) ?? postAddress({ platform: 'reddit', postId, author }),
    links: linksOf(fields.is_self === true ? [] : [fields.url]),
    reposts: countOf(fields.num_crossposts),
    createdAtMs,
  } as const;
  return { fullName, createdAtMs, event: { kind: 'post', post } };
}

/** Whether the author or others removed it. */
function isGone({ author, selftext, removed_by_category }: Fields): boolean {
  const isRemoved = removed_by_category !== undefined && removed_by_category !== null;
  return (
    author === '[deleted]' || isRemoved || (typeof selftext === 'string' && GONE.has(selftext))
  );
}

function textOf(title: string, selftext: unknown): string {
  const body = postTextOf(selftext) ?? '';
  return postTextOf(body === '' ? title : `${title}\n\n${body}`) ?? title;
}

function pageOf(permalink: unknown): string | null {
  if (typeof permalink !== 'string' || !/^\/r\/[\w/%-]{1,300}$/.test(permalink)) return null;
  return `https://www.reddit.com${permalink}`;
}
