import { describe, expect, test } from 'vitest';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { TokenAccounts } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { closeTokenAccount, transferTokens, transferTokensChecked } from '../programs/token.ts';
import { Random } from '../random/random.ts';
import { paying } from './account-use.ts';
import { type Execution, ProgramFailure } from './execution.ts';
import { Keyring } from './keyring.ts';
import { Ledger } from './ledger.ts';
import { runTransaction, type TransactionRequest } from './run-transaction.ts';

const CLOCK = { slot: 1, unixTime: 1 };
const keyring = new Keyring(new Random('run-transaction'));
const ROUTER = keyring.account();
const INNER = keyring.account();

function payerWith(lamports: bigint): { ledger: Ledger; payer: Address } {
  const ledger = new Ledger();
  const payer = keyring.wallet();
  ledger.set(payer, { lamports, program: SYSTEM_PROGRAM, mint: null, token: null, state: null });
  return { ledger, payer };
}

function request(payer: Address, build: (execution: Execution) => void): TransactionRequest {
  return {
    signatures: [keyring.signature()],
    feePayer: payer,
    recentBlockhash: keyring.blockhash(),
    computeBudget: null,
    tables: null,
    build,
  };
}

describe('a transaction', () => {
  test('whose payer has less than the fee is not included in a block', () => {
    const { ledger, payer } = payerWith(4_999n);
    expect(
      runTransaction(
        ledger,
        CLOCK,
        request(payer, () => undefined),
      ),
    ).toBeNull();
    expect(ledger.get(payer).lamports).toBe(4_999n);
  });

  test('whose payer has exactly the fee leaves no account behind', () => {
    const { ledger, payer } = payerWith(5_000n);
    const other = keyring.wallet();
    const landed = runTransaction(
      ledger,
      CLOCK,
      request(payer, (execution) => transferLamports(execution, payer, other, 0n)),
    );
    expect(landed?.transaction.error).toBeNull();
    expect(ledger.has(payer)).toBe(false);
  });

  test('keeps the instructions after a failed one in its message but does not run them', () => {
    const { ledger, payer } = payerWith(1_000_000n);
    const other = keyring.wallet();
    const landed = runTransaction(
      ledger,
      CLOCK,
      request(payer, (execution) => {
        transferLamports(execution, payer, other, 100n);
        transferLamports(execution, payer, other, 10_000_000n);
        transferLamports(execution, payer, other, 100n);
      }),
    );
    expect(landed?.transaction.error).toEqual({ InstructionError: [1, { Custom: 1 }] });
    expect(landed?.transaction.instructions.length).toBe(3);
    expect(ledger.get(other).lamports).toBe(0n);
    expect(ledger.get(payer).lamports).toBe(995_000n);
  });

  test('logs a deep failure once, and each calling program as failed', () => {
    const { ledger, payer } = payerWith(1_000_000n);
    const landed = runTransaction(
      ledger,
      CLOCK,
      request(payer, (execution) =>
        execution.invoke(ROUTER, [paying(payer)], Uint8Array.of(), () =>
          execution.invoke(INNER, [], Uint8Array.of(), () => {
            throw new ProgramFailure(6_001, 'slippage');
          }),
        ),
      ),
    );
    // Order and wording of a recorded failure, with the constant compute units.
    expect(landed?.transaction.logs).toEqual([
      `Program ${ROUTER} invoke [1]`,
      `Program ${INNER} invoke [2]`,
      'Program log: Error: slippage',
      `Program ${INNER} consumed 4500 of 200000 compute units`,
      `Program ${INNER} failed: custom program error: 0x1771`,
      `Program ${ROUTER} consumed 4500 of 200000 compute units`,
      `Program ${ROUTER} failed: custom program error: 0x1771`,
    ]);
  });

  test('logs no compute units for built-in programs', () => {
    const { ledger, payer } = payerWith(1_000_000n);
    const landed = runTransaction(
      ledger,
      CLOCK,
      request(payer, (execution) => transferLamports(execution, payer, keyring.wallet(), 1n)),
    );
    expect(landed?.transaction.logs).toEqual([
      `Program ${SYSTEM_PROGRAM} invoke [1]`,
      `Program ${SYSTEM_PROGRAM} success`,
    ]);
    expect(landed?.transaction.computeUnitsUsed).toBe(150);
  });

  test('rethrows any error of a program that is not a program failure', () => {
    const { ledger, payer } = payerWith(1_000_000n);
    const broken = request(payer, (execution) =>
      execution.invoke(ROUTER, [], Uint8Array.of(), () => {
        throw new TypeError('a bug');
      }),
    );
    expect(() => runTransaction(ledger, CLOCK, broken)).toThrow(TypeError);
  });

  test('rejects a number of signatures that is not the number of signers', () => {
    const { ledger, payer } = payerWith(1_000_000n);
    const one = request(payer, (execution) =>
      execution.invoke(ROUTER, [paying(keyring.wallet())], Uint8Array.of()),
    );
    expect(() => runTransaction(ledger, CLOCK, one)).toThrow(RangeError);
  });
});

describe('an account that does not exist', () => {
  const accounts = new TokenAccounts(keyring);

  test('fails the instruction that closes it or transfers from it', () => {
    const { ledger, payer } = payerWith(1_000_000n);
    const [account, other] = [accounts.of(payer, ROUTER), keyring.account()];
    const close = request(payer, (execution) =>
      closeTokenAccount(execution, account, payer, payer),
    );
    const move = request(payer, (execution) =>
      transferTokens(execution, { from: account, to: other, authority: payer, amountRaw: 1n }),
    );
    for (const each of [close, move]) {
      const landed = runTransaction(ledger, CLOCK, each);
      expect(landed?.transaction.error).toEqual({ InstructionError: [0, { Custom: 3_012 }] });
      const [instruction] = landed?.transaction.instructions ?? [];
      const keys = landed?.transaction.staticKeys ?? [];
      expect(keys[instruction?.programIndex ?? -1]).toBe(SPL_TOKEN_PROGRAM);
    }
    expect(ledger.get(payer).lamports).toBe(990_000n);
  });

  test('prevents an instruction from being built, so nothing is sent', () => {
    const { ledger, payer } = payerWith(1_000_000n);
    const before = [...ledger.entries()];
    const impossible = request(payer, (execution) => {
      transferLamports(execution, payer, keyring.wallet(), 100n);
      const [from, to] = [keyring.account(), keyring.account()];
      transferTokensChecked(execution, { from, to, authority: payer, amountRaw: 1n });
    });
    expect(runTransaction(ledger, CLOCK, impossible)).toBeNull();
    expect([...ledger.entries()]).toEqual(before);
  });

  test('after a failure leaves the failed transaction without its remaining instructions', () => {
    const { ledger, payer } = payerWith(1_000_000n);
    const landed = runTransaction(
      ledger,
      CLOCK,
      request(payer, (execution) => {
        transferLamports(execution, payer, keyring.wallet(), 10_000_000n);
        const [from, to] = [keyring.account(), keyring.account()];
        transferTokensChecked(execution, { from, to, authority: payer, amountRaw: 1n });
      }),
    );
    expect(landed?.transaction.error).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(landed?.transaction.instructions.length).toBe(1);
    expect(ledger.get(payer).lamports).toBe(995_000n);
  });

  test('after a failure and before other signers prevents the transaction from being sent', () => {
    const { ledger, payer } = payerWith(1_000_000n);
    const other = keyring.wallet();
    const cut = request(payer, (execution) => {
      transferLamports(execution, payer, keyring.wallet(), 10_000_000n);
      const [from, to] = [keyring.account(), keyring.account()];
      transferTokensChecked(execution, { from, to, authority: payer, amountRaw: 1n });
      transferLamports(execution, other, payer, 0n);
    });
    const signed = { ...cut, signatures: [keyring.signature(), keyring.signature()] };
    expect(runTransaction(ledger, CLOCK, signed)).toBeNull();
    expect(ledger.get(payer).lamports).toBe(1_000_000n);
  });
});
