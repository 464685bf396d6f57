/** Checks untrusted values: a value of the wrong kind is null and never guessed. */
import { POST_LINKS_MAX, POST_TEXT_MAX, type PostAuthor } from '../../model/social-post.ts';
import type { Tally } from './tally.ts';

export type Fields = Readonly<Record<string, unknown>>;

const NOTHING: Fields = {};
const ID_MAX = 256;
const HANDLE_MAX = 100;
const LINK_MAX = 2_048;
/** Larger counts of followers or posts are invalid. */
const COUNT_MAX = 10_000_000_000;
/** Older than the first of these platforms. */
const OLDEST_MS = Date.UTC(2005, 0, 1);
const AHEAD_MAX_MS = 5 * 60_000;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Fields of an object; none for any other value. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NOTHING;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Fields of a JSON object; null for any other text. */
export function parseFields(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Text of a post: well-formed, at most `POST_TEXT_MAX`, never cut within a character. */
export function postTextOf(value: unknown): string | null {
  return typeof value === 'string' ? cutText(value, POST_TEXT_MAX) : null;
}

export function idOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  if (typeof value !== 'string' || value.length > ID_MAX) return null;
  return /^[\x21-\x7e]+$/.test(value) ? value : null;
}

/** A name without `@`; null for an empty or overlong one. */
export function handleOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const handle = value.toWellFormed().replace(/^@/, '');
  return handle === '' || handle.length > HANDLE_MAX || /[\s\p{Cc}]/u.test(handle) ? null : handle;
}

export function countOf(value: unknown): number | null {
  return isCount(value) && value <= COUNT_MAX ? value : null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Milliseconds of a time in RFC 3339 format. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string' || value.length > 40 || !INSTANT.test(value)) return null;
  return millisecondsOf(Date.parse(value));
}

/** Milliseconds of a time in seconds, whole or not. */
export function secondsOf(value: unknown): number | null {
  return typeof value === 'number' ? millisecondsOf(Math.floor(value * 1_000)) : null;
}

/** A time in milliseconds since 1970, not older than these platforms. */
export function millisecondsOf(value: unknown): number | null {
  return isCount(value) && value >= OLDEST_MS && value <= COUNT_MAX * 1_000 ? value : null;
}

/** Distinct links to web pages, as many as a post may have. */
export function linksOf(values: Iterable<unknown>): string[] {
  const links = new Set<string>();
  for (const value of values) {
    if (links.size === POST_LINKS_MAX) break;
    if (typeof value !== 'string' || value.length > LINK_MAX) continue;
    if (/^https?:\/\/[^\s\p{Cc}]+$/iu.test(value)) links.add(value.toWellFormed());
  }
  return [...links];
}

/** An author of whom only the identity is known. */
export function bareAuthor(id: string, handle: string | null): PostAuthor {
  return { id, handle, followers: null, following: null, createdAtMs: null, postCount: null };
}

/**
 * The creation time of a post, limited to now. Posts dated in the future are kept with this time,
 * because the local clock may be a little behind.
 */
export function notAhead(createdAtMs: number, nowMs: number, tally: Tally): number {
  if (createdAtMs > nowMs + AHEAD_MAX_MS) tally.add('fromFuture');
  return Math.min(createdAtMs, nowMs);
}

function cutText(text: string, max: number): string {
  if (text.length <= max) return text.toWellFormed();
  const last = text.charCodeAt(max - 1);
  const isCutPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isCutPair ? max - 1 : max).toWellFormed();
}
