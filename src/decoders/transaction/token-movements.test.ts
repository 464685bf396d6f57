import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  address,
  buildTransaction,
  type InstructionDraft,
  type TokenBalanceDraft,
} from '../../../tests/support/build-transaction.ts';
import {
  batch,
  burn,
  closeAccount,
  initializeAccount3,
  mintTo,
  sendLamports,
  syncNative,
  transfer,
  transferChecked,
  transferCheckedWithFee,
} from '../../../tests/support/token-instructions.ts';
import { SPL_TOKEN_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';
import { readTokenLedger } from './token-movements.ts';

const MINT = address('mint');

describe('token movements', () => {
  test('are read from transfers, mints and burns, with mints from any known side', () => {
    const { movements } = ledgerOf(
      [
        transfer({ from: 'a', to: 'b', by: 'w', amount: 7n }),
        mintTo(MINT, 'c', 9n),
        burn('a', MINT, 2n),
      ],
      [{ account: address('b'), mint: MINT, before: 1n, after: 8n }],
    );
    expect(movements).toEqual([
      { kind: 'transfer', from: 'a', to: 'b', mint: MINT, amount: 7n, fee: 0n },
      { kind: 'mintTo', from: null, to: 'c', mint: MINT, amount: 9n, fee: 0n },
      { kind: 'burn', from: 'a', to: null, mint: MINT, amount: 2n, fee: 0n },
    ]);
  });

  test('pass a mint along a chain of plain transfers, also against the order', () => {
    const { movements } = ledgerOf(
      [
        transfer({ from: 'a', to: 'b', by: 'w', amount: 3n }),
        transfer({ from: 'b', to: 'c', by: 'w', amount: 2n }),
        transfer({ from: 'c', to: 'd', by: 'w', amount: 1n }),
      ],
      [{ account: address('d'), mint: MINT, after: 1n }],
    );
    expect(movements.map(({ mint }) => mint)).toEqual([MINT, MINT, MINT]);
  });

  test('leave a mint unknown that nothing shows', () => {
    const { movements } = ledgerOf([transfer({ from: 'a', to: 'b', by: 'w', amount: 3n })], []);
    expect(movements).toEqual([
      { kind: 'transfer', from: 'a', to: 'b', mint: null, amount: 3n, fee: 0n },
    ]);
  });

  test('include a wrapped-SOL account opened and closed inside the transaction', () => {
    const { movements, ledger, indexOf } = ledgerOf(
      [
        initializeAccount3('temporary', WRAPPED_SOL, 'wallet'),
        sendLamports('wallet', 'temporary', 50n),
        syncNative('temporary'),
        transfer({ from: 'temporary', to: 'vault', by: 'wallet', amount: 50n }),
        closeAccount('temporary', 'wallet'),
      ],
      [],
    );
    expect(movements.map(({ kind, mint }) => [kind, mint])).toEqual([
      ['sync', null],
      ['transfer', WRAPPED_SOL],
      ['close', null],
    ]);
    expect(ledger.accounts.get(indexOf('temporary'))).toEqual({
      mint: WRAPPED_SOL,
      owner: address('wallet'),
      decimals: null,
    });
    expect(ledger.balances.has(indexOf('temporary'))).toBe(false);
  });

  test('are read from every part of a batch', () => {
    const { movements } = ledgerOf(
      [
        batch(
          transfer({ from: 'a', to: 'b', by: 'w', amount: 5n }),
          transferChecked({ from: 'b', to: 'c', by: 'w', amount: 4n }, MINT, SPL_TOKEN_PROGRAM),
          burn('c', MINT, 1n),
        ),
      ],
      [],
    );
    expect(movements).toEqual([
      { kind: 'transfer', from: 'a', to: 'b', mint: MINT, amount: 5n, fee: 0n },
      { kind: 'transfer', from: 'b', to: 'c', mint: MINT, amount: 4n, fee: 0n },
      { kind: 'burn', from: 'c', to: null, mint: MINT, amount: 1n, fee: 0n },
    ]);
  });

  test('do not include a batch within a batch, which the program rejects', () => {
    const inner = batch(transfer({ from: 'a', to: 'b', by: 'w', amount: 5n }));
    expect(ledgerOf([batch(inner)], []).movements).toEqual([]);
  });

  test('do not include truncated data', () => {
    const whole = transfer({ from: 'a', to: 'b', by: 'w', amount: 5n });
    for (let length = 0; length < 9; length++) {
      const cut = { ...whole, data: (whole.data ?? new Uint8Array(0)).subarray(0, length) };
      expect(ledgerOf([cut, batch(cut)], []).movements).toEqual([]);
    }
  });

  test('never fail on any data or accounts', () => {
    const tags = fc.constantFrom(1, 3, 7, 8, 9, 12, 14, 15, 16, 17, 18, 26, 255);
    const data = fc
      .tuple(tags, fc.uint8Array({ maxLength: 60 }))
      .map(([tag, rest]) => Uint8Array.of(tag, ...rest));
    const accounts = fc.array(fc.constantFrom('a', 'b', 'c').map(address), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(data, accounts), { maxLength: 8 }), (drafts) => {
        const instructions = drafts.map(([bytes, named]) => ({
          program: SPL_TOKEN_PROGRAM,
          accounts: named,
          data: bytes,
        }));
        const { ledger } = ledgerOf(instructions, [
          { account: address('a'), mint: MINT, after: 1n },
        ]);
        for (const { amount, fee } of ledger.movements) {
          expect(amount).toBeGreaterThanOrEqual(0n);
          expect(fee).not.toBeNull();
        }
      }),
    );
  });
});

describe('a Token-2022 transfer fee', () => {
  const pay = (amount: bigint, to = 'b') =>
    transferChecked({ from: 'a', to, by: 'w', amount }, MINT);
  const arrived = (after: bigint, account = 'b') => ({
    account: address(account),
    mint: MINT,
    before: 0n,
    after,
  });

  test('is the one stated by the instruction', () => {
    const stated = transferCheckedWithFee(
      { from: 'a', to: 'b', by: 'w', amount: 1_000n },
      MINT,
      5n,
    );
    expect(feesOf([stated], [arrived(995n)])).toEqual([5n]);
  });

  test.each([
    { amount: 1_000n, fee: 5n },
    { amount: 1_001n, fee: 6n },
  ])('is the amount that did not arrive: $fee of $amount at 50 bps', ({ amount, fee }) => {
    expect(feesOf([pay(amount)], [arrived(amount - fee)])).toEqual([fee]);
  });

  test('is shared by several transfers at the one rate that explains the difference', () => {
    // 50 bps, each rounded up: 5 of 1,000 and 6 of 1,001.
    expect(feesOf([pay(1_000n), pay(1_001n)], [arrived(1_990n)])).toEqual([5n, 6n]);
  });

  test('is not guessed when no single rate explains the difference of several transfers', () => {
    // At 50 bps 100 and 50 would be missing; a cap made it less.
    expect(feesOf([pay(20_000n), pay(10_000n)], [arrived(29_945n)])).toEqual([0n, 0n]);
  });

  test('is the amount that did not arrive even when a cap makes it less than any rate', () => {
    // 3 of 1,000,000 is not a whole number of basis points: the mint's cap, as in the program.
    expect(feesOf([pay(1_000_000n)], [arrived(999_997n)])).toEqual([3n]);
  });

  test('never exceeds the transfer', () => {
    const had = { account: address('b'), mint: MINT, before: 900n, after: 0n };
    expect(feesOf([pay(10n)], [had])).toEqual([0n]);
  });

  test('is applied at the same rate to an account without a balance', () => {
    // 100 of 20,000 are missing: 50 bps, so 51 of 10,001 after rounding up.
    const fees = feesOf([pay(20_000n), pay(10_001n, 'closed')], [arrived(19_900n)]);
    expect(fees).toEqual([100n, 51n]);
  });

  test('is applied at the shared rate to an account without a balance', () => {
    const fees = feesOf([pay(20_000n), pay(10_000n), pay(10_001n, 'closed')], [arrived(29_850n)]);
    expect(fees).toEqual([100n, 50n, 51n]);
  });

  test('is zero when everything arrived, and never withheld by the older token program', () => {
    expect(feesOf([pay(1_000n)], [arrived(1_000n)])).toEqual([0n]);
    const plain = transfer({ from: 'a', to: 'b', by: 'w', amount: 1_000n });
    expect(feesOf([plain], [arrived(995n)])).toEqual([0n]);
  });

  test('is not inferred when the missing amount left the account again', () => {
    const onward = transferChecked({ from: 'b', to: 'c', by: 'w', amount: 400n }, MINT);
    expect(feesOf([pay(1_000n), onward], [arrived(600n), arrived(400n, 'c')])).toEqual([0n, 0n]);
  });

  test('is exact for an account without a balance, at any rate, from 10,000 units on', () => {
    const amount = fc.bigInt({ min: 10_000n, max: 2n ** 63n });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 9_999n }), amount, amount, (bps, seen, unseen) => {
        const feeOf = (gross: bigint) => (gross * bps + 9_999n) / 10_000n;
        const fees = feesOf([pay(seen), pay(unseen, 'closed')], [arrived(seen - feeOf(seen))]);
        expect(fees).toEqual([feeOf(seen), feeOf(unseen)]);
      }),
    );
  });
});

function feesOf(
  instructions: readonly InstructionDraft[],
  tokenBalances: readonly TokenBalanceDraft[],
): (bigint | null)[] {
  return ledgerOf(instructions, tokenBalances).movements.map(({ fee }) => fee);
}

/** The ledger, and its movements with accounts by the names used in the test. */
function ledgerOf(
  instructions: readonly InstructionDraft[],
  tokenBalances: readonly TokenBalanceDraft[],
) {
  const transaction = buildTransaction({ signers: [address('w')], instructions, tokenBalances });
  const ledger = readTokenLedger(transaction);
  const words = new Map(
    ['a', 'b', 'c', 'd', 'closed', 'temporary', 'vault', 'wallet'].map((word) => [
      address(word),
      word,
    ]),
  );
  const wordOf = (index: number) =>
    index < 0 ? null : (words.get(transaction.keys.at(index)) ?? null);
  const movements = ledger.movements.map(({ kind, source, destination, mint, amount, fee }) => ({
    kind,
    from: wordOf(source),
    to: wordOf(destination),
    mint,
    amount,
    fee,
  }));
  const indexOf = (word: string) => transaction.keys.indexOf(address(word));
  return { ledger, movements, indexOf };
}
