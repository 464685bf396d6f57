import type { SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts';
import { type JobFault, refusalFault } from '../jobs/fetch-fault.ts';

/** The answer for a link, without the content of the page. */
export interface LinkCheck {
  readonly kind: 'checked';
  /** Status of the last hop. */
  readonly statusCode: number;
  readonly redirects: number;
}

/**
 * Requests a page with GET, since many hosts refuse HEAD, and closes the connection after the head
 * of the answer. Any status counts as an answer.
 */
export async function checkLink(fetch: SafeFetch, url: string): Promise<LinkCheck | JobFault> {
  const outcome = await fetch(url, { sizeMaxBytes: 0, headers: { accept: '*/*' } });
  if (outcome.kind === 'refused') return refusalFault(outcome);
  return { kind: 'checked', statusCode: outcome.status, redirects: outcome.redirects };
}
