import type { SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts';
import { fetchedOrFault, type JobFault } from '../jobs/fetch-fault.ts';
import { sha256 } from '../jobs/job-url.ts';

export const PICTURE_SIZE_MAX_BYTES = 8 * 1_048_576;

/** The unchecked bytes of a picture. */
export interface FetchedPicture {
  readonly kind: 'picture';
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, as hex. */
  readonly contentHash: string;
}

export async function fetchPicture(
  fetch: SafeFetch,
  url: string,
): Promise<FetchedPicture | JobFault> {
  const headers = { accept: 'image/png, image/jpeg, image/webp, image/gif, */*;q=0.1' };
  const request = { sizeMaxBytes: PICTURE_SIZE_MAX_BYTES, headers };
  const outcome = fetchedOrFault(await fetch(url, request));
  if (outcome.kind === 'fault') return outcome;
  const bytes = outcome.body;
  return { kind: 'picture', bytes, contentHash: sha256(bytes) };
}
