import { describe, expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { CASE_BOUNDS, noCounts } from '../../fraud/cases/case-bounds.ts';
import { PaymentLogs } from '../../fraud/cases/payment-logs.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { encodeBase58 } from '../../lib/base58.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { CasePayment } from '../../model/mint-case.ts';
import { type Address, asLamports, asSignature, asSlot } from '../../model/units.ts';
import { ViewedPayments } from './viewed-payments.ts';

const signature = asSignature(encodeBase58(new Uint8Array(64).fill(1)));
/** Payments of a wallet that are stored: the first and the newest. */
const STORED = CASE_BOUNDS.payments.first + CASE_BOUNDS.payments.newest;
const NO_TIME = Number.NEGATIVE_INFINITY;

/** Payments at the slots 1, 2, …, one a second. */
function viewOf(
  pairs: readonly (readonly [from: string, to: string])[],
  names: readonly string[],
  paymentsMax = 1_000,
) {
  const undo = new UndoLog();
  const ids = new AddressIds<Address>(undo);
  const logs = new PaymentLogs(ids, CASE_BOUNDS, noCounts(), undo);
  for (const [index, [from, to]] of pairs.entries()) {
    const at = { slot: asSlot(index + 1), timeMs: (index + 1) * 1_000, txIndex: 0, signature };
    logs.apply({ ...at, from: named(from), to: named(to), lamports: asLamports(1n) });
  }
  const walk = { stepsMax: 4, paymentsMax, walletsMax: 1_000 };
  const isService = (wallet: number) => ids.addressOf(wallet) === named('exchange');
  return new ViewedPayments(logs, names.map(named), { ...walk, isService });
}

const slotsOf = (payments: readonly CasePayment[]) => payments.map(({ slot }) => Number(slot));

describe('viewed payments', () => {
  const pairs = [
    ['funder', 'ann'],
    ['ann', 'bob'],
    ['bob', 'cleo'],
    ['stranger', 'cleo'],
    ['cleo', 'exchange'],
    ['exchange', 'dan'],
  ] as const;

  test('are those to and from the named wallets, and onward up to services', () => {
    expect(slotsOf(viewOf(pairs, ['ann']).all)).toEqual([1, 2, 3, 5]);
  });

  test('are followed wallet by wallet until there are enough, after those of all named wallets', () => {
    const onward = [
      ['ann', 'a'],
      ['bob', 'b'],
      ['a', 'c'],
      ['a', 'd'],
      ['b', 'e'],
    ] as const;
    const found = (paymentsMax: number) => slotsOf(viewOf(onward, ['ann', 'bob'], paymentsMax).all);
    expect(found(1)).toEqual([1, 2]);
    expect(found(3)).toEqual([1, 2, 3, 4]);
    expect(found(5)).toEqual([1, 2, 3, 4, 5]);
  });

  test('of one wallet begin with a time, and are none for a wallet that paid nobody', () => {
    const view = viewOf([...pairs, ['ann', 'dan']], ['ann', 'nobody']);
    expect(slotsOf(view.from(named('ann'), NO_TIME))).toEqual([2, 7]);
    expect(slotsOf(view.from(named('ann'), 2_000))).toEqual([2, 7]);
    expect(slotsOf(view.from(named('ann'), 2_001))).toEqual([7]);
    expect([view.from(named('dan'), NO_TIME), view.from(named('nobody'), NO_TIME)]).toEqual([
      [],
      [],
    ]);
  });

  test('of one wallet include those that only the log of a named payee still has', () => {
    // The payer's log keeps its first four and newest twelve; the fifth, to a named wallet, is the
    // only payment in that wallet's log.
    const busy = Array.from({ length: STORED + 4 }, (_, index) => {
      return ['payer', index === CASE_BOUNDS.payments.first ? 'ann' : `payee ${index}`] as const;
    });
    const view = viewOf(busy, ['ann', 'payer']);
    const kept = slotsOf(view.from(named('payer'), NO_TIME));
    expect(kept).toEqual([1, 2, 3, 4, 5, ...Array.from({ length: 12 }, (_, index) => index + 9)]);
    const all = view.all.filter(({ from }) => from === 'payer');
    expect(kept).toEqual(slotsOf(all));
    expect(slotsOf(viewOf(busy, ['payer']).from(named('payer'), NO_TIME))).not.toContain(5);
  });
});
