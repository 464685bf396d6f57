import type { HttpAnswer, HttpFailure } from '../../../lib/http-client/http-client.ts';
import { type PollOutcome, refusalOf } from '../../collecting/poll.ts';
import { fieldsOf } from '../../collecting/read-fields.ts';
import { budgetSpent } from './post-budget.ts';

const PAYMENT_REQUIRED = 402;
const TOO_MANY_REQUESTS = 429;

/** The outcome for an answer of X without posts; null for an answer with posts. */
export function xRefusal(answer: HttpAnswer | HttpFailure, nowMs: number): PollOutcome | null {
  if (answer.kind === 'answer' && answer.status === PAYMENT_REQUIRED) {
    return budgetSpent('X says that no credits are left. Buy some, or wait.', nowMs);
  }
  if (answer.kind === 'answer' && answer.status === TOO_MANY_REQUESTS && isCap(answer.json)) {
    return budgetSpent('X says that its monthly cap of posts is reached.', nowMs);
  }
  return refusalOf(answer, 'X', nowMs);
}

/** The usage cap has the same status as a rate limit, but does not end within a minute. */
function isCap(json: unknown): boolean {
  return fieldsOf(json).title === 'UsageCapExceeded';
}
