import type { PostEdit, PostRecord, SocialPost } from '../../posts/social-post.ts';
import { Random } from '../../random/random.ts';

/** The faults of a social source (F-25): switches, and rates from 0 to 1. */
export interface PostFaultSettings {
  readonly seed: string;
  /** All tokens are rejected with 401. */
  readonly isTokenRevoked: boolean;
  /** Share of requests answered with 429. */
  readonly tooManyRequests: number;
  readonly retryAfterSeconds: number;
  /** Share of posts sent twice. */
  readonly duplicate: number;
  /** Share of posts whose text is edited slightly, without a change of meaning. */
  readonly edited: number;
  /** Share of posts deleted immediately. */
  readonly deleted: number;
}

export const CALM_POSTS: PostFaultSettings = {
  seed: '1',
  isTokenRevoked: false,
  tooManyRequests: 0,
  retryAfterSeconds: 1,
  duplicate: 0,
  edited: 0,
  deleted: 0,
};

export type PostFaultReading =
  | { readonly kind: 'settings'; readonly settings: PostFaultSettings }
  /** The message names the field. */
  | { readonly kind: 'refused'; readonly message: string };

const RETRY_AFTER_SECONDS_MAX = 3_600;

/** Returns the settings with some fields changed; the others keep their values. */
export function parsePostFaults(
  document: unknown,
  base: PostFaultSettings = CALM_POSTS,
): PostFaultReading {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return { kind: 'refused', message: 'faults must be a JSON object' };
  }
  for (const [name, value] of Object.entries(document)) {
    const problem = problemOf(name, value);
    if (problem !== null) return { kind: 'refused', message: `${name.slice(0, 60)} ${problem}` };
  }
  return { kind: 'settings', settings: { ...base, ...document } };
}

function problemOf(name: string, value: unknown): string | null {
  if (!Object.hasOwn(CALM_POSTS, name)) return 'is no fault';
  if (name === 'seed') return typeof value === 'string' ? null : 'must be a text';
  if (name === 'isTokenRevoked') {
    return typeof value === 'boolean' ? null : 'must be true or false';
  }
  if (name === 'retryAfterSeconds') {
    const isCount = Number.isInteger(value) && Number(value) >= 0;
    return isCount && Number(value) <= RETRY_AFTER_SECONDS_MAX
      ? null
      : `must be a whole number from 0 to ${RETRY_AFTER_SECONDS_MAX}`;
  }
  const isRate = typeof value === 'number' && value >= 0 && value <= 1;
  return isRate ? null : 'must be a rate from 0 to 1';
}

/**
 * A record with the additional records that faults cause. The faults of one record are the same for
 * every request, so overlapping pages agree. None of them changes the expected counts.
 */
export function withFaults(record: PostRecord, settings: PostFaultSettings): readonly PostRecord[] {
  if (record.kind !== 'post') return [record];
  const records: PostRecord[] = [record];
  if (strikes(settings, 'duplicate', record)) records.push(record);
  if (strikes(settings, 'edited', record)) records.push(respaced(record));
  if (strikes(settings, 'deleted', record)) {
    const { platform, postId, postedAtMs } = record;
    records.push({ kind: 'delete', platform, postId, deletedAtMs: postedAtMs });
  }
  return records;
}

function strikes(
  settings: PostFaultSettings,
  fault: 'duplicate' | 'edited' | 'deleted',
  { platform, postId }: SocialPost,
): boolean {
  const rate = settings[fault];
  if (rate === 0) return false;
  return rate === 1 || new Random(`${settings.seed}/${fault}/${platform}/${postId}`).chance(rate);
}

function respaced({ platform, postId, text, postedAtMs }: SocialPost): PostEdit {
  return { kind: 'edit', platform, postId, text: `${text} `, editedAtMs: postedAtMs };
}
