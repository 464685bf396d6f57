/**
 * Imported posts as JSON lines, each a `SocialPost`. Optional are `platform` (default "import"),
 * all fields of `author` except `id`, `url` (by default the post's public address), `links` and
 * `reposts`. Times are milliseconds since 1970 or, in `createdAt`, RFC 3339. A line
 * `{"deleted":true,"platform":…,"postId":…}` deletes a post. This module only reads; it stores
 * nothing.
 */
import { PLATFORMS, type PostAuthor, type PostEvent } from '../../../model/social-post.ts';
import { postAddress } from '../../collecting/post-address.ts';
import {
  countOf,
  type Fields,
  fieldsOf,
  handleOf,
  idOf,
  instantOf,
  isFields,
  linksOf,
  listOf,
  millisecondsOf,
  parseFields,
  postTextOf,
} from '../../collecting/read-fields.ts';
import { type Line, readLines } from '../../collecting/read-lines.ts';

export type ImportedLine =
  | { readonly kind: 'event'; readonly line: number; readonly event: PostEvent }
  | {
      readonly kind: 'fault';
      /** The line number, from 1. */
      readonly line: number;
      /** Why the line is invalid. Contains no text of the line. */
      readonly message: string;
    };

/** A post with the longest text and the most links is shorter. */
export const IMPORT_LINE_BYTES_MAX = 128 * 1_024;
const AHEAD_MAX_MS = 5 * 60_000;

/** Reads lines in batches as bytes arrive; empty lines are counted and skipped. */
export async function* readPosts(
  chunks: AsyncIterable<Uint8Array>,
  nowMs: () => number,
): AsyncGenerator<readonly ImportedLine[]> {
  let line = 0;
  for await (const lines of readLines(chunks, IMPORT_LINE_BYTES_MAX)) {
    const batch: ImportedLine[] = [];
    for (const each of lines) {
      line++;
      const read = readLine(each, nowMs());
      if (typeof read === 'string') batch.push({ kind: 'fault', line, message: read });
      else if (read !== null) batch.push({ kind: 'event', line, event: read });
    }
    if (batch.length > 0) yield batch;
  }
}

/** An event, a text that says what is wrong, or null for an empty line. */
function readLine(line: Line, nowMs: number): PostEvent | string | null {
  if (line.kind === 'too-long') return `longer than ${IMPORT_LINE_BYTES_MAX} bytes`;
  if (line.text.trim() === '') return null;
  const fields = parseFields(line.text);
  if (fields === null) return 'not a JSON object';
  const platform = PLATFORMS.find((each) => each === (fields.platform ?? 'import'));
  if (platform === undefined) return `"platform" must be one of ${PLATFORMS.join(', ')}`;
  const postId = idOf(fields.postId);
  if (postId === null) return '"postId" must be 1 to 256 printable characters without spaces';
  if (fields.deleted === true) return { kind: 'deleted', platform, postId };
  const author = readAuthor(fields.author);
  if (typeof author === 'string') return author;
  const text = postTextOf(fields.text);
  if (text === null) return '"text" must be a string';
  const createdAtMs = millisecondsOf(fields.createdAtMs) ?? instantOf(fields.createdAt);
  if (createdAtMs === null) return '"createdAtMs" or "createdAt" must be a time since 2005';
  if (createdAtMs > nowMs + AHEAD_MAX_MS) return 'posted in the future';
  const [url = postAddress({ platform, postId, author })] = linksOf([fields.url]);
  const links = linksOf(listOf(fields.links));
  const reposts = countOf(fields.reposts);
  return {
    kind: 'post',
    post: { platform, postId, author, text, url, links, reposts, createdAtMs },
  };
}

function readAuthor(value: unknown): PostAuthor | string {
  const author: Fields = fieldsOf(value);
  const id = idOf(author.id);
  if (!isFields(value) || id === null) return '"author" must be an object with an "id"';
  for (const name of ['followers', 'following', 'postCount'] as const) {
    const count = author[name] ?? null;
    if (count !== null && countOf(count) === null) return `"author.${name}" must be a count`;
  }
  return {
    id,
    handle: handleOf(author.handle),
    followers: countOf(author.followers),
    following: countOf(author.following),
    createdAtMs: millisecondsOf(author.createdAtMs) ?? instantOf(author.createdAt),
    postCount: countOf(author.postCount),
  };
}
