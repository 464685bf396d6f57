import { AsyncLocalStorage } from 'node:async_hooks';

const accounts = new AsyncLocalStorage<string>();

/** Runs `work`, and whatever it awaits, on behalf of an account; null leaves it nobody's. */
export function runForAccount<Result>(accountId: string | null, work: () => Result): Result {
  return accountId === null ? accounts.exit(work) : accounts.run(accountId, work);
}

/** On whose behalf the running code works; null for the service's own work. */
export function currentAccount(): string | null {
  return accounts.getStore() ?? null;
}
