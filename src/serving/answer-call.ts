import type { Awaitable } from '../lib/awaitable.ts';
import { runForAccount } from '../lib/current-account.ts';
import { toFault } from './fault.ts';
import type { CallName, FromApi, ServiceCalls, ToApi } from './messages.ts';

/** What answers each call. */
export type CallHandlers = {
  readonly [Name in CallName]: (
    ask: ServiceCalls[Name]['ask'],
  ) => Awaitable<ServiceCalls[Name]['answer']>;
};

type Call = Extract<FromApi, { readonly kind: 'call' }>;

/**
 * Answers a call on behalf of its account: at once where its handler does, and always, also with what
 * went wrong.
 */
export async function answerCall(
  handlers: CallHandlers,
  { id, accountId, name, ask }: Call,
  post: (message: ToApi) => void,
): Promise<void> {
  // The two belong together by name, which the compiler cannot follow.
  const handle = handlers[name] as (ask: unknown) => Awaitable<unknown>;
  try {
    const answer = runForAccount(accountId, () => handle(ask));
    post({ kind: 'answer', id, answer: answer instanceof Promise ? await answer : answer });
  } catch (error) {
    post({ kind: 'refusal', id, fault: toFault(error) });
  }
}
