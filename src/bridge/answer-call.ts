import { runForAccount } from '../lib/current-account.ts';
import { toFault } from './fault.ts';
import type { ApiRequest, ServiceMessage } from './messages.ts';
import { methodOf } from './remote-reads.ts';
import type { ServiceAnswers } from './service-reads.ts';

type Call = Extract<ApiRequest, { readonly kind: 'call' }>;

/**
 * Answers a call on behalf of its account: at once if its method does, and always, with the error if
 * it fails.
 */
export async function answerCall(
  answers: ServiceAnswers,
  { id, accountId, name, args }: Call,
  post: (message: ServiceMessage) => void,
): Promise<void> {
  try {
    const answer = runForAccount(accountId, () => methodOf(answers, name)(args));
    post({ kind: 'answer', id, answer: answer instanceof Promise ? await answer : answer });
  } catch (error) {
    post({ kind: 'refusal', id, fault: toFault(error) });
  }
}
