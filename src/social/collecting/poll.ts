import type { HttpAnswer, HttpFailure } from '../../lib/http-client/http-client.ts';
import type { CollectorContext, WaitReason } from './collector.ts';
import type { Tally } from './tally.ts';

/** The outcome of a polling round. */
export type PollOutcome =
  /** The next round starts after `waitMs`. */
  | { readonly kind: 'done'; readonly waitMs: number }
  | {
      readonly kind: 'waiting';
      readonly reason: WaitReason;
      readonly untilMs: number;
      readonly message: string;
    }
  /** Is retried with increasing delays. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped'; readonly message: string };

const BACKOFF_MS = 1_000;
const BACKOFF_MAX_MS = 5 * 60_000;
/** Maximum wait: after a day the platform is polled again, even if it requested more. */
const WAIT_MAX_MS = 24 * 3_600_000;
const RATE_LIMIT_MS = 60_000;
/** Margin after a reset in the past, or within the current second, until it has taken effect. */
const RESET_MARGIN_MS = 1_000;

/** Runs rounds until the signal, or until one ends with `stopped`. Reports every change. */
export async function poll(
  context: CollectorContext,
  tally: Tally,
  round: () => Promise<PollOutcome>,
): Promise<void> {
  const { signal, clock } = context;
  let failures = 0;
  tally.report({ kind: 'running' });
  while (!signal.aborted) {
    const outcome = await round();
    if (signal.aborted) return;
    failures = outcome.kind === 'failed' ? failures + 1 : 0;
    if (outcome.kind === 'failed') tally.add('failures');
    if (outcome.kind === 'stopped') {
      tally.report(outcome);
      return;
    }
    const waitMs = reportWait(outcome, failures, context, tally);
    await clock.sleep(waitMs, signal);
  }
}

/** The delay before the next attempt after `failures` consecutive failures. */
export function backoffMs(failures: number, random: () => number): number {
  const boundMs = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** Math.min(failures - 1, 20));
  return Math.ceil(boundMs / 2 + (boundMs / 2) * random());
}

/** Whether the platform does not understand the request. */
export function isBadRequest(answer: HttpAnswer | HttpFailure): boolean {
  return answer.kind === 'answer' && answer.status === 400;
}

/** The outcome for statuses that all platforms share; null for a success with JSON. */
export function refusalOf(
  answer: HttpAnswer | HttpFailure,
  platform: string,
  nowMs: number,
): PollOutcome | null {
  if (answer.kind === 'failed') return { kind: 'failed', message: answer.message };
  const { status } = answer;
  if (status === 401 || status === 403) {
    const message = `${platform} refuses the credentials (status ${status}). Set valid ones and start again.`;
    return { kind: 'stopped', message };
  }
  if (status === 429) return rateLimited(platform, resetMs(answer, nowMs));
  if (status !== 200) {
    return { kind: 'failed', message: `${platform} answered with status ${status}.` };
  }
  if (answer.json !== undefined) return null;
  return { kind: 'failed', message: `${platform} answered with something that is not JSON.` };
}

export function rateLimited(platform: string, untilMs: number): PollOutcome {
  const message = `${platform} allows no more requests for now.`;
  return { kind: 'waiting', reason: 'rate-limited', untilMs, message };
}

/**
 * When requests are allowed again according to an answer: `retry-after` and Reddit's header are
 * seconds from now, the others seconds since 1970.
 */
export function resetMs(answer: HttpAnswer, nowMs: number): number {
  const secondsFromNow =
    secondsIn(answer, 'retry-after') ?? smallSeconds(answer, 'x-ratelimit-reset');
  if (secondsFromNow !== null) return nowMs + bounded(secondsFromNow * 1_000);
  const second =
    secondsIn(answer, 'x-rate-limit-reset') ??
    secondsIn(answer, 'ratelimit-reset') ??
    secondsIn(answer, 'x-ratelimit-reset');
  if (second === null) return nowMs + RATE_LIMIT_MS;
  return nowMs + bounded(second * 1_000 - nowMs + RESET_MARGIN_MS);
}

function reportWait(
  outcome: Exclude<PollOutcome, { kind: 'stopped' }>,
  failures: number,
  { nowMs, random }: CollectorContext,
  tally: Tally,
): number {
  if (outcome.kind === 'done') {
    tally.report({ kind: 'running' });
    return outcome.waitMs;
  }
  const now = nowMs();
  const untilMs = outcome.kind === 'waiting' ? outcome.untilMs : now + backoffMs(failures, random);
  const reason = outcome.kind === 'waiting' ? outcome.reason : 'failing';
  const waitMs = bounded(untilMs - now);
  tally.report({ kind: 'waiting', reason, untilMs: now + waitMs, message: outcome.message });
  return waitMs;
}

function bounded(ms: number): number {
  return Math.min(WAIT_MAX_MS, Math.max(RESET_MARGIN_MS, ms));
}

function secondsIn(answer: HttpAnswer, name: string): number | null {
  const text = answer.header(name)?.trim() ?? '';
  return /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : null;
}

/** More than a year of seconds is a time since 1970 and not a delay. */
function smallSeconds(answer: HttpAnswer, name: string): number | null {
  const seconds = secondsIn(answer, name);
  return seconds !== null && seconds < 366 * 86_400 ? seconds : null;
}
