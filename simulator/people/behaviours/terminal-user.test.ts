import { describe, expect, test } from 'vitest';
import { TERMINAL_OF_FEE_ACCOUNT } from '../../../src/model/terminal-accounts.ts';
import type { Address } from '../../../src/model/units.ts';
import { boughtLamports, placed, transfersOf } from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';
import { JITO_TIP_ACCOUNTS } from '../tip-accounts.ts';

const market = new PeopleMarket('terminal', { terminalUser: 80 });
market.planLaunches(3, 60, [0.6, 0.8]);
market.run(500);
const people = market.walletsOf('terminalUser');
const purchases = placed(market.blocks)
  .filter(({ transaction }) => transaction.error === null && boughtLamports(transaction).length > 0)
  .slice(0);
const ofUsers = purchases.filter(({ transaction }) =>
  transfersOf(transaction).some(
    ({ from, to }) => people.has(from) && TERMINAL_OF_FEE_ACCOUNT.has(to),
  ),
);

describe('users of trading terminals', () => {
  test('pay their terminal half a per cent to one per cent of each purchase, within it', () => {
    expect(ofUsers.length).toBeGreaterThan(100);
    expect(purchases.length - ofUsers.length).toBeLessThanOrEqual(market.launches.length);
    for (const { transaction } of ofUsers) {
      const [size = 0n] = boughtLamports(transaction);
      const fees = transfersOf(transaction).filter(({ to }) => TERMINAL_OF_FEE_ACCOUNT.has(to));
      expect(fees).toHaveLength(1);
      expect([50n, 90n, 100n]).toContain(((fees[0]?.lamports ?? 0n) * 10_000n) / size);
    }
  });

  test('use one preset each: every wallet has one round size', () => {
    const sizesOf = new Map<string, Set<bigint>>();
    for (const { transaction } of ofUsers) {
      const payer = transfersOf(transaction).find(({ to }) => TERMINAL_OF_FEE_ACCOUNT.has(to));
      const sizes = sizesOf.get(payer?.from ?? '') ?? new Set();
      for (const size of boughtLamports(transaction)) sizes.add(size);
      sizesOf.set(payer?.from ?? '', sizes);
    }
    for (const sizes of sizesOf.values()) {
      expect(sizes.size).toBe(1);
      for (const size of sizes) expect(size % 50_000_000n).toBe(0n);
    }
  });

  test('sometimes share fee payers and tip, with several wallets per payer', () => {
    const payers = new Map<Address, Set<Address>>();
    let tipped = 0;
    for (const { transaction } of ofUsers) {
      const transfers = transfersOf(transaction);
      const [payer] = transaction.staticKeys;
      const user = transfers.find(({ to }) => TERMINAL_OF_FEE_ACCOUNT.has(to))?.from;
      if (payer === undefined || user === undefined) throw new Error('no payer');
      payers.set(payer, (payers.get(payer) ?? new Set()).add(user));
      if (transfers.some(({ to }) => JITO_TIP_ACCOUNTS.includes(to))) tipped++;
    }
    const sponsors = [...payers].filter(([payer]) => !people.has(payer));
    expect(sponsors.length).toBeGreaterThanOrEqual(1);
    expect(Math.max(...sponsors.map(([, users]) => users.size))).toBeGreaterThan(1);
    expect(tipped / ofUsers.length).toBeGreaterThan(0.1);
    expect(tipped / ofUsers.length).toBeLessThan(0.8);
  });
});
