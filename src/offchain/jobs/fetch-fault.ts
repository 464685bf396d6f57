import type { Refusal, RefusalReason } from '../../lib/safe-fetch/refusal.ts';
import type { Fetched } from '../../lib/safe-fetch/safe-fetch.ts';

/** Why a try found nothing. */
export interface JobFault {
  readonly kind: 'fault';
  /** One word of a few, for counts and logs: nothing of a stranger's. */
  readonly fault: string;
  /** False where another try can find nothing either. */
  readonly isWorthRetry: boolean;
  /** What the server asked to be waited for. */
  readonly retryAfterMs: number | null;
}

/** What no try can change: the URL is not one that may be asked, or leads to far too much. */
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

/** The answer if it holds what was asked for, else why not. */
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

/** Only the form in seconds is followed. */
function secondsOf(retryAfter: string | null): number | null {
  return /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : null;
}
