import type { SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts';
import { type JobFault, refusalFault } from '../jobs/fetch-fault.ts';

/** Who answered for a link; what the page says is not read. */
export interface LinkCheck {
  readonly kind: 'checked';
  /** Of the last hop. */
  readonly statusCode: number;
  readonly redirects: number;
}

/**
 * Asks for a page with GET, since many hosts refuse HEAD, and closes the connection after the
 * answer's head. Any status is an answer.
 */
export async function checkLink(fetch: SafeFetch, url: string): Promise<LinkCheck | JobFault> {
  const outcome = await fetch(url, { sizeMaxBytes: 0, headers: { accept: '*/*' } });
  if (outcome.kind === 'refused') return refusalFault(outcome);
  return { kind: 'checked', statusCode: outcome.status, redirects: outcome.redirects };
}
