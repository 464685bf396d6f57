import type { Refusal, RefusalReason } from '../../lib/safe-fetch/refusal.ts';
import type { Fetched } from '../../lib/safe-fetch/safe-fetch.ts';

/** Why an attempt failed. */
export interface JobFault {
  readonly kind: 'fault';
  /** One of a few fixed words, for counts and logs; contains no untrusted text. */
  readonly fault: string;
  /** False when a retry cannot succeed. */
  readonly isWorthRetry: boolean;
  /** The delay that the server requested. */
  readonly retryAfterMs: number | null;
}

/** Refusals that no retry can change: the URL is not allowed, or its content is too large. */
const FINAL: ReadonlySet<RefusalReason> = new Set([
  'body-too-large',
  'bad-url',
  'scheme-not-allowed',
  'credentials-in-url',
  'port-not-allowed',
  'local-name',
  'address-not-public',
]);

const OK = 200;

/** The answer if it contains the requested content, else the fault. */
export function fetchedOrFault(outcome: Fetched | Refusal): Fetched | JobFault {
  if (outcome.kind === 'refused') return refusalFault(outcome);
  if (outcome.status === OK) return outcome;
  return faultOf(`status-${outcome.status}`, true, secondsOf(outcome.retryAfter));
}

export function refusalFault({ reason }: Refusal): JobFault {
  return faultOf(reason, !FINAL.has(reason));
}

export function faultOf(
  fault: string,
  isWorthRetry: boolean,
  retryAfterMs: number | null = null,
): JobFault {
  return { kind: 'fault', fault, isWorthRetry, retryAfterMs };
}

/** Only the form in seconds is supported. */
function secondsOf(retryAfter: string | null): number | null {
  return /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : null;
}
