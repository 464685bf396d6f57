import { beforeEach, describe, expect, test } from 'vitest';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { Execution } from '../chain/execution.ts';
import { Keyring } from '../chain/keyring.ts';
import { Ledger, type TransferFee } from '../chain/ledger.ts';
import { Random } from '../random/random.ts';
import {
  burnTokens,
  closeTokenAccount,
  initializeTokenAccount,
  transferFeeOf,
  transferTokens,
  transferTokensChecked,
} from './token.ts';

const keyring = new Keyring(new Random('token'));
const FEE: TransferFee = { feeBps: 100, maxFeeRaw: 1_000n };

let ledger: Ledger;
let execution: Execution;
let owner: Address;
let plain: { mint: Address; source: Address; target: Address };
let charged: typeof plain;

beforeEach(() => {
  ledger = new Ledger();
  execution = new Execution(ledger, { slot: 1, unixTime: 1 });
  owner = keyring.wallet();
  plain = holding(SPL_TOKEN_PROGRAM, null);
  charged = holding(TOKEN_2022_PROGRAM, FEE);
});

/** A mint, an owner's account with 50,000 of it, and an empty account of another wallet. */
function holding(program: Address, transferFee: TransferFee | null) {
  const [mint, source, target] = [keyring.account(), keyring.account(), keyring.account()];
  const base = { lamports: 2_039_280n, program, mint: null, token: null, state: null };
  const authorities = { mintAuthority: null, freezeAuthority: null };
  ledger.set(mint, {
    ...base,
    mint: { decimals: 3, supplyRaw: 50_000n, ...authorities, transferFee },
  });
  ledger.set(source, { ...base, token: { mint, owner, amountRaw: 50_000n, withheldRaw: 0n } });
  const stranger = keyring.wallet();
  ledger.set(target, { ...base, token: { mint, owner: stranger, amountRaw: 0n, withheldRaw: 0n } });
  return { mint, source, target };
}

/** Code of the program failure, or null. */
function failureCode(): number | null {
  return execution.failure?.code ?? null;
}

describe('a transfer', () => {
  test('withholds the fee, rounded up, on the receiving account', () => {
    const { source, target } = charged;
    const move = { from: source, to: target, authority: owner };
    transferTokensChecked(execution, { ...move, amountRaw: 101n });
    expect(ledger.token(target)).toMatchObject({ amountRaw: 99n, withheldRaw: 2n });
    // 1 % of 40,000 is 400; then 1 % of 9,899 is 98.99.
    transferTokensChecked(execution, { ...move, amountRaw: 40_000n });
    transferTokensChecked(execution, { ...move, amountRaw: 9_899n });
    expect(ledger.token(target)).toMatchObject({ amountRaw: 49_499n, withheldRaw: 501n });
    expect(ledger.token(source).amountRaw).toBe(0n);
    expect(failureCode()).toBeNull();
  });

  test('withholds no more than the maximum', () => {
    expect(transferFeeOf(FEE, 100_000n)).toBe(1_000n);
    expect(transferFeeOf(FEE, 100_001n)).toBe(1_000n);
    expect(transferFeeOf(FEE, 99_901n)).toBe(1_000n);
    expect(transferFeeOf(FEE, 99_900n)).toBe(999n);
    expect(transferFeeOf(FEE, 0n)).toBe(0n);
    expect(transferFeeOf(null, 100_000n)).toBe(0n);
  });

  test('to the same account moves nothing and costs no fee', () => {
    const { source } = charged;
    const before = ledger.token(source);
    const move = { from: source, to: source, authority: owner, amountRaw: 10_000n };
    transferTokensChecked(execution, move);
    expect(ledger.token(source)).toEqual(before);
    expect(failureCode()).toBeNull();
  });

  test('of more than the balance fails with InsufficientFunds', () => {
    const { source, target } = plain;
    transferTokens(execution, { from: source, to: target, authority: owner, amountRaw: 50_001n });
    expect(failureCode()).toBe(1);
    expect(ledger.token(source).amountRaw).toBe(50_000n);
  });

  test('between accounts of different mints fails with MintMismatch', () => {
    const move = { from: plain.source, to: charged.target, authority: owner, amountRaw: 1n };
    transferTokens(execution, move);
    expect(failureCode()).toBe(3);
  });
});

describe('a wallet that is not the owner', () => {
  test.each(['transfer', 'burn', 'close'] as const)('cannot %s', (action) => {
    const { source, target } = plain;
    const thief = keyring.wallet();
    const before = ledger.get(source);
    if (action === 'transfer') {
      transferTokens(execution, { from: source, to: target, authority: thief, amountRaw: 1n });
    } else if (action === 'burn') {
      burnTokens(execution, { from: source, authority: thief, amountRaw: 1n });
    } else closeTokenAccount(execution, target, thief, thief);
    expect(failureCode()).toBe(4);
    expect(ledger.get(source)).toEqual(before);
  });
});

describe('closing', () => {
  test('an account with tokens fails with NonNativeHasBalance', () => {
    closeTokenAccount(execution, plain.source, owner, owner);
    expect(failureCode()).toBe(11);
  });

  test('an account with withheld fees fails with AccountHasWithheldTransferFees', () => {
    const { source } = charged;
    const account = ledger.get(source);
    const token = { ...ledger.token(source), amountRaw: 0n, withheldRaw: 5n };
    ledger.set(source, { ...account, token });
    closeTokenAccount(execution, source, owner, owner);
    expect(failureCode()).toBe(35);
  });

  test('an empty account returns its lamports and is removed', () => {
    const { source } = plain;
    burnTokens(execution, { from: source, authority: owner, amountRaw: 50_000n });
    closeTokenAccount(execution, source, owner, owner);
    expect(failureCode()).toBeNull();
    expect(ledger.has(source)).toBe(false);
    expect(ledger.get(owner).lamports).toBe(2_039_280n);
    expect(ledger.mint(plain.mint).supplyRaw).toBe(0n);
  });
});

test('a token account of a mint that does not exist cannot be created', () => {
  const account = keyring.account();
  const empty = { lamports: 2_039_280n, mint: null, token: null, state: null };
  ledger.set(account, { ...empty, program: SYSTEM_PROGRAM });
  initializeTokenAccount(execution, account, keyring.account(), owner);
  expect(failureCode()).toBe(3_012);
  expect(ledger.get(account).token).toBeNull();
});
