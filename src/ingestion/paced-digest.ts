import type { StateDigest } from '../model/state-digest.ts';
import type { Ingestion } from './ingestion.ts';

/**
 * Time between two digests. One of a slot of mainnet takes the thread 30 ms, mostly to encode the
 * objects that changed, and one of many slots not much more.
 */
const DIGEST_EVERY_MS = 2_000;

/**
 * Returns a function for the digest of the newest slot, or of one for which there is a digest
 * already and that was the newest at most two seconds ago. `steadyNow` is a monotonic clock.
 */
export function pacedDigest(
  ingestion: Pick<Ingestion, 'digest' | 'recentDigests'>,
  steadyNow: () => number,
): () => StateDigest | null {
  let computedMs = Number.NEGATIVE_INFINITY;
  return () => {
    const [known] = ingestion.recentDigests;
    if (known !== undefined && steadyNow() - computedMs < DIGEST_EVERY_MS) return known;
    const digest = ingestion.digest();
    computedMs = steadyNow();
    return digest;
  };
}
