import { AsyncLocalStorage } from 'node:async_hooks';

const accounts = new AsyncLocalStorage<string>();

/**
 * Runs `work`, including everything it awaits, on behalf of an account; null means of no account.
 */
export function runForAccount<Result>(accountId: string | null, work: () => Result): Result {
  return accountId === null ? accounts.exit(work) : accounts.run(accountId, work);
}

/** The account the running code works for; null for the service's own work. */
export function currentAccount(): string | null {
  return accounts.getStore() ?? null;
}
