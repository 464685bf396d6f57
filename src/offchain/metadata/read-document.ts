import type { SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts';
import { fetchedOrFault, type JobFault } from '../jobs/fetch-fault.ts';
import { sha256 } from '../jobs/job-url.ts';
import {
  METADATA_SIZE_MAX_BYTES,
  parseMetadata,
  type TokenMetadata,
  type UnreadableMetadata,
} from './parse-metadata.ts';

/** The document at a token's URI. */
export interface ReadDocument {
  readonly kind: 'document';
  /** SHA-256 of its bytes, as hex. */
  readonly contentHash: string;
  readonly metadata: TokenMetadata | UnreadableMetadata;
}

export async function readDocument(
  fetch: SafeFetch,
  url: string,
): Promise<ReadDocument | JobFault> {
  const headers = { accept: 'application/json, text/plain;q=0.5, */*;q=0.1' };
  const request = { sizeMaxBytes: METADATA_SIZE_MAX_BYTES, headers };
  const outcome = fetchedOrFault(await fetch(url, request));
  if (outcome.kind === 'fault') return outcome;
  const { body } = outcome;
  return { kind: 'document', contentHash: sha256(body), metadata: parseMetadata(body) };
}

/** The distinct links of a document: website, Twitter and Telegram first. */
export function linksOf({ website, twitter, telegram, otherLinks }: TokenMetadata): string[] {
  const named = [website, twitter, telegram, ...otherLinks];
  return [...new Set(named.filter((link) => link !== null))];
}
