import type { Awaitable } from '../lib/awaitable.ts';
import { runForAccount } from '../lib/current-account.ts';
import { toFault } from './fault.ts';
import type { CallName, FromApi, ServiceCalls, ToApi } from './messages.ts';

/** Handler of each call. */
export type CallHandlers = {
  readonly [Name in CallName]: (
    ask: ServiceCalls[Name]['ask'],
  ) => Awaitable<ServiceCalls[Name]['answer']>;
};

type Call = Extract<FromApi, { readonly kind: 'call' }>;

/**
 * Runs the handler of a call on behalf of its account and posts its result or its error. The answer
 * is posted synchronously if the handler is synchronous.
 */
export async function answerCall(
  handlers: CallHandlers,
  { id, accountId, name, ask }: Call,
  post: (message: ToApi) => void,
): Promise<void> {
  // Name and payload belong together, which the compiler cannot infer.
  const handle = handlers[name] as (ask: unknown) => Awaitable<unknown>;
  try {
    const answer = runForAccount(accountId, () => handle(ask));
    post({ kind: 'answer', id, answer: answer instanceof Promise ? await answer : answer });
  } catch (error) {
    post({ kind: 'refusal', id, fault: toFault(error) });
  }
}
