import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address, buildTransaction } from '../../../tests/support/build-transaction.ts';
import { initializeAccount3, transfer } from '../../../tests/support/token-instructions.ts';
import type { Instruction } from '../../model/instruction.ts';
import { isVenueProgram } from '../registry.ts';
import { TransactionView } from '../transaction/transaction-view.ts';
import { PERMANENT, readTokenLock, termsOf, type UnlockSchedule } from './token-lock.ts';

describe('the terms of a schedule', () => {
  test('begin and end when its first and its last part unlock', () => {
    const small = fc.record({
      cliffTime: fc.bigInt({ min: 1n, max: 20n }),
      cliffAmount: fc.bigInt({ min: 0n, max: 2n }),
      periodSeconds: fc.bigInt({ min: 1n, max: 5n }),
      periodCount: fc.bigInt({ min: 0n, max: 5n }),
    });
    fc.assert(
      fc.property(small, (schedule) => {
        const total = freedAt(schedule, 1_000n);
        fc.pre(total > 0n);
        const seconds = Array.from({ length: 100 }, (_, second) => BigInt(second));
        const first = seconds.find((second) => freedAt(schedule, second) > 0n);
        const last = seconds.find((second) => freedAt(schedule, second) === total);
        expect(termsOf(schedule, false)).toEqual({
          isPermanent: false,
          firstUnlockTimeMs: Number(first) * 1_000,
          lastUnlockTimeMs: Number(last) * 1_000,
          isRevocable: false,
        });
      }),
    );
  });

  test('have times that a Date can represent, for any numbers', () => {
    const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    const any = fc.record({
      cliffTime: u64,
      cliffAmount: u64,
      periodSeconds: u64,
      periodCount: fc.option(u64),
    });
    fc.assert(
      fc.property(any, fc.boolean(), (schedule, isRevocable) => {
        const { firstUnlockTimeMs, lastUnlockTimeMs } = termsOf(schedule, isRevocable);
        for (const time of [firstUnlockTimeMs, lastUnlockTimeMs]) {
          expect(time === null || !Number.isNaN(new Date(time).getTime())).toBe(true);
        }
      }),
    );
  });
});

describe('the amount locked by a locker', () => {
  const moved = transfer({ from: 'theirs', to: 'escrow', by: 'owner', amount: 5n });

  test('is of the mint for which the transaction itself initialises the escrow', () => {
    const create = initializeAccount3('escrow', address('mint'), 'pda');
    expect(read([create, moved])).toMatchObject({
      events: [{ mint: address('mint'), escrowDelta: 5n, terms: PERMANENT }],
    });
  });

  test('is not reported without a mint, and zero when inflow equals outflow', () => {
    expect(read([moved])).toEqual({
      status: 'malformed',
      reason: 'the record does not tell the mint',
    });
    const back = transfer({ from: 'escrow', to: 'theirs', by: 'pda', amount: 5n });
    expect(read([moved, back])).toEqual({ status: 'ignored' });
  });

  test('excludes movements before or after the instruction', () => {
    expect(read([], [moved])).toEqual({ status: 'ignored' });
  });
});

/** Amounts unlocked at a time: the cliff's, then each period's once it has passed. */
function freedAt(
  { cliffTime, cliffAmount, periodSeconds, periodCount }: UnlockSchedule,
  second: bigint,
): bigint {
  let freed = second >= cliffTime ? cliffAmount : 0n;
  for (let period = 1n; period <= (periodCount ?? 0n); period++) {
    if (second >= cliffTime + period * periodSeconds) freed++;
  }
  return freed;
}

function read(inner: readonly ReturnType<typeof transfer>[], after: typeof inner = []) {
  const transaction = buildTransaction({
    signers: [address('owner')],
    instructions: [{ program: address('locker'), accounts: [address('escrow')], inner }, ...after],
  });
  const instruction = transaction.instructions[0] as Instruction;
  const view = new TransactionView(transaction, isVenueProgram);
  const escrow = transaction.keys.indexOf(address('escrow'));
  return readTokenLock(view, instruction, { locker: 'streamflow', escrow, owner: 0 }, PERMANENT);
}
