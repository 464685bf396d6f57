import { describe, expect, test } from 'vitest';
import { concat, hex, u64 } from '../../../tests/support/borsh-bytes.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
  type TransactionDraft,
} from '../../../tests/support/build-transaction.ts';
import {
  closeAccount,
  initializeAccount3,
  sendLamports,
  syncNative,
  transfer,
  transferChecked,
} from '../../../tests/support/token-instructions.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { EVENT_FIELDS_OFFSET, SELF_EVENT_TAG } from './discriminator.ts';
import { ROUTER_PROGRAMS } from './router-programs.ts';
import { TransactionView } from './transaction-view.ts';

const VENUE = address('venue');
const OTHER_VENUE = address('other venue');
const MINT = address('mint');
const EVENT = '1122334455667788';

const call = (program: string, ...inner: InstructionDraft[]): InstructionDraft => ({
  program,
  inner,
});
const move = (from: string, to: string, amount: bigint) =>
  transfer({ from, to, by: 'wallet', amount });

describe('movements under an instruction', () => {
  const { view, at } = viewOf({
    instructions: [
      call(
        address('router'),
        call(VENUE, call(address('helper'), move('a', 'vault', 1n)), move('vault', 'b', 2n)),
        call(VENUE, call(OTHER_VENUE, move('a', 'c', 3n)), sendLamports('wallet', 'fee', 4n)),
        move('b', 'fee', 5n),
      ),
    ],
  });

  test('are those of its nearest venue, with or without helper programs in between', () => {
    const [router, first, second, other] = [at(0), at(1), at(5), at(6)];
    expect(amounts(view, first)).toEqual([1n, 2n]);
    expect(amounts(view, second)).toEqual([]);
    expect(amounts(view, other)).toEqual([3n]);
    expect(amounts(view, router)).toEqual([5n]);
    expect(view.systemMovementsUnder(second).map(({ lamports }) => lamports)).toEqual([4n]);
  });

  test('are all movements by it and by what it called, including other venues', () => {
    const within = (position: number) =>
      view.tokenMovementsWithin(at(position)).map(({ amount }) => amount);
    expect(within(0)).toEqual([1n, 2n, 3n, 5n]);
    expect(within(1)).toEqual([1n, 2n]);
    expect(within(5)).toEqual([3n]);
  });

  test('name the program that called the instruction', () => {
    expect(view.callerOf(at(0))).toBeNull();
    expect(view.callerOf(at(1))).toBe(address('router'));
    expect(view.callerOf(at(6))).toBe(VENUE);
  });

  test('name the nearest router above it, otherwise the program that called it', () => {
    const [bloom, jupiter] = [ROUTER_PROGRAMS.bloom, ROUTER_PROGRAMS.jupiter_v6];
    const swap = call(VENUE, move('a', 'vault', 1n));
    const { view: routed, at: instructionAt } = viewOf({
      instructions: [
        call(bloom, call(jupiter, call(address('helper'), swap))),
        call(address('bot'), swap),
        swap,
      ],
    });
    expect(routed.routerOf(instructionAt(3))).toBe(jupiter);
    expect(routed.routerOf(instructionAt(1))).toBe(bloom);
    expect(routed.routerOf(instructionAt(6))).toBe(address('bot'));
    expect(routed.routerOf(instructionAt(8))).toBeNull();
  });

  test('have no owner when the wallet moved its tokens itself', () => {
    const { view: plain, at: own } = viewOf({ instructions: [move('a', 'b', 1n)] });
    expect(plain.ownerOfLeaf(own(0))).toBeNull();
  });
});

describe('balances in the middle of a transaction', () => {
  const { view, at, index } = viewOf({
    instructions: [
      call(VENUE, move('a', 'vault', 10n)),
      call(VENUE, move('a', 'vault', 5n), move('vault', 'b', 3n)),
      move('a', 'vault', 100n),
    ],
    tokenBalances: [{ account: address('vault'), mint: MINT, before: 1_000n, after: 1_112n }],
  });

  test('are the initial balance plus movements until the instruction ended', () => {
    expect(view.tokenBalanceAfter(index('vault'), at(0))).toBe(1_010n);
    expect(view.tokenBalanceAfter(index('vault'), at(2))).toBe(1_012n);
    expect(view.tokenBalanceAfter(index('vault'), at(5))).toBe(1_112n);
  });

  test('are unknown for an account without recorded balances', () => {
    expect(view.tokenBalanceAfter(index('a'), at(0))).toBeNull();
  });
});

describe('the reconciliation of an account', () => {
  const reconciled = (after: bigint, ...instructions: InstructionDraft[]) => {
    const { view, index } = viewOf({
      instructions,
      tokenBalances: [{ account: address('vault'), mint: WRAPPED_SOL, before: 50n, after }],
    });
    return view.isReconciled(index('vault'));
  };

  test('succeeds when its transfers explain its balances', () => {
    expect(reconciled(60n, move('a', 'vault', 15n), move('vault', 'b', 5n))).toBe(true);
    expect(reconciled(50n, move('vault', 'vault', 5n))).toBe(true);
  });

  test('succeeds when a withheld fee explains the rest', () => {
    const taxed = transferChecked({ from: 'a', to: 'vault', by: 'wallet', amount: 1_000n }, MINT);
    expect(reconciled(1_045n, taxed)).toBe(true);
  });

  test('fails when they contradict them', () => {
    expect(reconciled(64n, move('a', 'vault', 15n))).toBe(false);
    expect(reconciled(51n)).toBe(false);
  });

  test('is unknown when lamports were wrapped or the account was closed', () => {
    expect(reconciled(80n, sendLamports('wallet', 'vault', 30n), syncNative('vault'))).toBeNull();
    expect(reconciled(0n, closeAccount('vault', 'wallet'))).toBeNull();
  });

  test('is unknown when the record has no balances for it', () => {
    const { view, index } = viewOf({ instructions: [move('a', 'vault', 1n)] });
    expect(view.isReconciled(index('vault'))).toBeNull();
  });
});

describe("a program's own event", () => {
  const event = (program: string, amount: bigint): InstructionDraft => ({
    program,
    data: concat(hex(SELF_EVENT_TAG), hex(EVENT), u64(amount)),
  });

  test('is the one emitted by the instruction itself, not by another one or program', () => {
    const { view, at } = viewOf({
      instructions: [
        call(VENUE, call(VENUE, event(VENUE, 1n)), event(OTHER_VENUE, 2n), event(VENUE, 3n)),
        call(VENUE),
      ],
    });
    const amountOf = (data: Uint8Array | null) =>
      data === null ? null : Buffer.from(data).readBigUInt64LE(EVENT_FIELDS_OFFSET);
    expect(amountOf(view.selfEventOf(at(0), EVENT))).toBe(3n);
    expect(amountOf(view.selfEventOf(at(1), EVENT))).toBe(1n);
    expect(view.selfEventOf(at(5), EVENT)).toBeNull();
    expect(view.selfEventOf(at(0), '8877665544332211')).toBeNull();
  });
});

describe("a program's calls to itself", () => {
  test('are its own direct ones, in order', () => {
    const own = (byte: number): InstructionDraft => ({ program: VENUE, data: Uint8Array.of(byte) });
    const { view, at } = viewOf({
      instructions: [
        { program: VENUE, inner: [own(1), call(OTHER_VENUE, own(2)), call(VENUE, own(3)), own(4)] },
        own(5),
      ],
    });
    const bytes = view.ownCallsOf(at(0)).map(({ data }) => [...data]);
    expect(bytes).toEqual([[1], [], [4]]);
    expect(view.ownCallsOf(at(7))).toEqual([]);
  });
});

describe('known facts about accounts', () => {
  test('come from balances and from accounts opened in the transaction', () => {
    const { view, index } = viewOf({
      instructions: [initializeAccount3('opened', MINT, 'wallet')],
      tokenBalances: [
        { account: address('vault'), mint: MINT, owner: address('pool'), decimals: 8, after: 1n },
      ],
    });
    expect(view.tokenAccount(index('vault'))).toEqual({
      mint: MINT,
      owner: address('pool'),
      decimals: 8,
    });
    expect(view.tokenAccount(index('opened'))?.owner).toBe(address('wallet'));
    expect(view.tokenAccount(index('wallet'))).toBeNull();
    expect(view.decimalsOf(MINT)).toBe(8);
    expect(view.decimalsOf(WRAPPED_SOL)).toBeNull();
  });

  test('distinguish signers from other accounts', () => {
    const { view, index } = viewOf({ instructions: [move('a', 'b', 1n)] });
    expect(view.isSigner(index('wallet'))).toBe(true);
    expect(view.isSigner(index('a'))).toBe(false);
    expect(view.isSigner(-1)).toBe(false);
  });
});

function amounts(view: TransactionView, instruction: Parameters<TransactionView['callerOf']>[0]) {
  return view.tokenMovementsUnder(instruction).map(({ amount }) => amount);
}

function viewOf(draft: Omit<TransactionDraft, 'signers'>) {
  const transaction = buildTransaction({ signers: [address('wallet')], ...draft });
  const view = new TransactionView(
    transaction,
    (program) => program === VENUE || program === OTHER_VENUE,
  );
  const at = (position: number) => {
    const instruction = transaction.instructions[position];
    if (instruction === undefined) throw new Error(`no instruction ${position}`);
    return instruction;
  };
  const index = (word: string) => transaction.keys.indexOf(address(word));
  return { view, at, index };
}
