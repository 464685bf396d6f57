import { describe, expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import type { CaseWallet } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { ViewedWallets } from './viewed-wallets.ts';

function wallets(listed: readonly string[]) {
  const read: Address[] = [];
  let lists = 0;
  const viewed = new ViewedWallets(
    (address) => {
      read.push(address);
      return { address } as CaseWallet;
    },
    () => {
      lists++;
      return listed.map(named);
    },
  );
  return { viewed, read, countLists: () => lists };
}

describe('viewed wallets', () => {
  test('are created when they are read, once each, listed or not', () => {
    const { viewed, read, countLists } = wallets(['b', 'a']);
    const first = viewed.get(named('far'));
    expect(viewed.get(named('far'))).toBe(first);
    expect(first.address).toBe('far');
    expect(viewed.has(named('farther'))).toBe(true);
    expect([read, countLists()]).toEqual([['far'], 0]);
  });

  test('are listed by address, without those that were only read', () => {
    const { viewed, countLists } = wallets(['b', 'c', 'a']);
    viewed.get(named('far'));
    expect([...viewed.keys()]).toEqual(['a', 'b', 'c']);
    expect(Array.from(viewed.values(), ({ address }) => address)).toEqual(['a', 'b', 'c']);
    expect([...viewed].map(([address, wallet]) => [address, wallet.address])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ]);
    const visited: Address[] = [];
    viewed.forEach((_, address) => {
      visited.push(address);
    });
    expect([visited, viewed.size, countLists()]).toEqual([['a', 'b', 'c'], 3, 1]);
  });
});
