import { expect, test } from 'vitest';
import { Keyring } from '../chain/keyring.ts';
import { Random } from '../random/random.ts';
import { TokenAccounts } from './associated-token.ts';

test('an owner has one account per mint, however many others were requested since', () => {
  const keyring = new Keyring(new Random('token accounts'));
  const [owner, mint] = [keyring.wallet(), keyring.account()];
  const accounts = new TokenAccounts(keyring);
  const address = accounts.of(owner, mint);
  const others = new Set(
    Array.from({ length: 120_000 }, () => accounts.of(keyring.account(), mint)),
  );
  expect(others.size).toBe(120_000);
  expect(accounts.of(owner, mint)).toBe(address);
  expect(new TokenAccounts(keyring).of(owner, mint)).toBe(address);
  expect(accounts.of(mint, owner)).not.toBe(address);
  expect(others.has(address)).toBe(false);
});
