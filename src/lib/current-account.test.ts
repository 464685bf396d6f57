import { expect, test } from 'vitest';
import { currentAccount, runForAccount } from './current-account.ts';

test('work runs for its account, including what it awaits', async () => {
  const later = runForAccount('a', async () => {
    const before = currentAccount();
    await new Promise(setImmediate);
    return [before, currentAccount()];
  });
  expect(currentAccount()).toBeNull();
  expect(await later).toEqual(['a', 'a']);
});

test('work of the service itself has no account, even inside a request', async () => {
  const inner = runForAccount('a', () =>
    runForAccount(null, async () => {
      await new Promise(setImmediate);
      return currentAccount();
    }),
  );
  expect(await inner).toBeNull();
  expect(runForAccount('a', () => runForAccount('b', currentAccount))).toBe('b');
});
