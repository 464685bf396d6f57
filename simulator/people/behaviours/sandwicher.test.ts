import { describe, expect, test } from 'vitest';
import {
  lamportChange,
  placed,
  tokenChange,
  transfersOf,
} from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';
import { JITO_TIP_ACCOUNTS } from '../tip-accounts.ts';

const market = new PeopleMarket('sandwich', { casual: 150, freshUser: 50, sandwicher: 3 });
market.planLaunches(3, 100, [0.7, 0.9]);
market.run(700);
const people = market.walletsOf('sandwicher');
const mints = market.launches.map(({ mint }) => mint);
const all = placed(market.blocks);

const sandwiches = all.flatMap(({ transaction: front, slot, txIndex }, index) => {
  const [wallet] = [...people].filter((one) => front.staticKeys[0] === one);
  const [victim, back] = [all[index + 1], all[index + 2]];
  if (wallet === undefined || victim === undefined || back === undefined) return [];
  const [mint] = mints.filter((one) => tokenChange(front, wallet, one) > 0n);
  return mint === undefined ? [] : [{ wallet, mint, front, victim, back, slot, txIndex }];
});

describe('sandwichers', () => {
  test("trade directly before and after another trader's purchase, in its block", () => {
    expect(sandwiches.length).toBeGreaterThan(10);
    for (const { wallet, mint, front, victim, back, slot, txIndex } of sandwiches) {
      expect([victim.slot, back.slot]).toEqual([slot, slot]);
      expect([victim.txIndex, back.txIndex]).toEqual([txIndex + 1, txIndex + 2]);
      expect(back.transaction.staticKeys[0]).toBe(wallet);
      expect(tokenChange(back.transaction, wallet, mint)).toBe(-tokenChange(front, wallet, mint));
      const buyers = victim.transaction.tokenBalances.filter(
        ({ owner, mint: of, beforeRaw, afterRaw }) =>
          of === mint &&
          market.world.truth.labels.wallets.has(owner) &&
          (afterRaw ?? 0n) > (beforeRaw ?? 0n),
      );
      expect(buyers).toHaveLength(1);
      expect(buyers[0]?.owner).not.toBe(wallet);
    }
  });

  test('gain lamports with each, after all fees and one tip', () => {
    for (const { wallet, front, victim, back } of sandwiches) {
      const gain = lamportChange(front, wallet) + lamportChange(back.transaction, wallet);
      expect(gain).toBeGreaterThan(0n);
      const tips = [front, victim.transaction, back.transaction]
        .flatMap(transfersOf)
        .filter(({ to }) => JITO_TIP_ACCOUNTS.includes(to));
      expect(tips).toHaveLength(1);
    }
  });

  test('leave no open position: every purchase has its sale', () => {
    const own = all.filter(({ transaction: { staticKeys } }) =>
      staticKeys.slice(0, 1).some((payer) => people.has(payer)),
    );
    expect(own).toHaveLength(2 * sandwiches.length);
    expect(own.every(({ transaction }) => transaction.error === null)).toBe(true);
  });
});
