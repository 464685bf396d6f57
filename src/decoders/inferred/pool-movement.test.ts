import { describe, expect, test } from 'vitest';
import { swapEvent } from '../../../tests/support/build-facts.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../../tests/support/build-transaction.ts';
import { balance as balanceOf } from '../../../tests/support/swap-draft.ts';
import { burn, transfer as move } from '../../../tests/support/token-instructions.ts';
import type { ChainEvent } from '../../model/chain-event.ts';
import { SPL_TOKEN_PROGRAM } from '../../model/program.ts';
import { asRawAmount } from '../../model/units.ts';
import { decodeTransaction } from '../decode-transaction.ts';
import { Tally } from '../tally.ts';
import { TransactionView } from '../transaction/transaction-view.ts';
import { poolMovementOf } from './pool-movement.ts';

const STRANGER = address('an unknown market');
const CPMM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
const user = address('user');
const maker = address('maker');

function transfer(from: string, to: string, authority: string, amount: bigint): InstructionDraft {
  const data = Buffer.alloc(9);
  data[0] = 3;
  data.writeBigUInt64LE(amount, 1);
  return {
    program: SPL_TOKEN_PROGRAM,
    accounts: [address(from), address(to), authority],
    data,
  };
}

const balance = (account: string, owner: string, mint: string, before: bigint, after: bigint) => ({
  account: address(account),
  owner,
  mint: address(mint),
  before,
  after,
});

/** The user pays 10 of mint A to the maker and receives 20 of mint B, below one instruction. */
function exchange(program: string, accounts: readonly string[] = [], data = new Uint8Array(8)) {
  return buildTransaction({
    signers: [user],
    instructions: [
      {
        program,
        accounts,
        data,
        inner: [
          transfer('user A', 'maker A', user, 10n),
          transfer('maker B', 'user B', maker, 20n),
        ],
      },
    ],
    tokenBalances: [
      balance('user A', user, 'A', 100n, 90n),
      balance('maker A', maker, 'A', 0n, 10n),
      balance('maker B', maker, 'B', 50n, 30n),
      balance('user B', user, 'B', 0n, 20n),
    ],
  });
}

function tallyOf(transaction: ReturnType<typeof buildTransaction>): Tally {
  const tally = new Tally();
  decodeTransaction(transaction, 0, tally);
  return tally;
}

describe('a transaction that moved tokens through a pool', () => {
  test('is listed with its program when the program is unknown', () => {
    const tally = tallyOf(exchange(STRANGER));
    expect([tally.poolMovingCount, tally.explainedCount]).toEqual([1, 0]);
    expect(tally.problems).toMatchObject([
      { problem: 'unexplained', program: null, outerIx: 0, innerIx: -1 },
    ]);
    expect(tally.problems[0]?.reason).toContain(STRANGER);
  });

  test('is explained by the swap that a decoder read from it', () => {
    const at = (position: number) => address(`filler ${position}`);
    const accounts = [user, at(1), at(2), address('pool'), address('user A'), address('user B')];
    const vaults = [address('maker A'), address('maker B')];
    const data = Buffer.from('8fbe5adac41e33de', 'hex');
    const tally = tallyOf(exchange(CPMM, [...accounts, ...vaults], data));
    expect([tally.poolMovingCount, tally.explainedCount]).toEqual([1, 1]);
    expect(tally.problems).toEqual([]);
  });

  test('does not count when two tokens move in the same direction', () => {
    const tally = tallyOf(
      buildTransaction({
        signers: [user],
        instructions: [
          {
            program: STRANGER,
            inner: [
              transfer('user A', 'maker A', user, 10n),
              transfer('user B', 'maker B', user, 20n),
            ],
          },
        ],
        tokenBalances: [
          balance('user A', user, 'A', 100n, 90n),
          balance('maker A', maker, 'A', 0n, 10n),
          balance('user B', user, 'B', 50n, 30n),
          balance('maker B', maker, 'B', 0n, 20n),
        ],
      }),
    );
    expect([tally.poolMovingCount, tally.explainedCount]).toEqual([0, 0]);
  });
});

const A = address('A');
const B = address('B');
const C = address('C');
const paid = move({ from: 'user A', to: 'pool A', by: 'user', amount: 100n });
const got = move({ from: 'pool B', to: 'user B', by: 'pool', amount: 70n });
const HOP = { program: address('amm'), inner: [paid, got] };

describe('the exchange of an authority', () => {
  test('is found when the pool pays through a program that it calls', () => {
    const deeper = { program: address('amm'), inner: [paid, called('vault program', [got])] };
    expect(unexplained([called('router', [deeper])])).toEqual([
      { at: '0.0', authority: address('pool'), changes: { A: 100n, B: -70n } },
    ]);
  });

  test('is explained by an event with its legs, of that instruction or one above or below', () => {
    const deeper = { program: address('amm'), inner: [paid, called('vault program', [got])] };
    for (const innerIx of [0, -1, 2]) {
      const event = swap('A', 'B', { outerIx: 0, innerIx });
      expect(unexplained([called('router', [deeper])], [event])).toEqual([]);
    }
    expect(unexplained([HOP, HOP], [swap('A', 'B', { outerIx: 1, innerIx: -1 })])).toMatchObject([
      { at: '0.-1' },
    ]);
  });

  test('is not explained by a leg that is one unit off', () => {
    const position = { outerIx: 0, innerIx: -1 };
    const off = swap('A', 'B', { ...position, poolQuoteDelta: asRawAmount(-69n) });
    const offForAll = { ...off, traderQuoteDelta: asRawAmount(69n) };
    expect(unexplained([HOP], [offForAll])).toHaveLength(1);
    expect(unexplained([HOP], [swap('A', 'B', position)])).toEqual([]);
  });

  test('is the traded amount and the fees that stay in the vaults', () => {
    const keptFees = { base: asRawAmount(3n), quote: asRawAmount(0n) };
    const event = swap('A', 'B', {
      outerIx: 0,
      innerIx: -1,
      poolBaseDelta: asRawAmount(97n),
      keptFees,
    });
    expect(unexplained([HOP], [{ ...event, traderQuoteDelta: null }])).toEqual([]);
  });

  test('of one hop does not explain the other hop of its router', () => {
    const second = {
      program: address('another amm'),
      inner: [
        move({ from: 'user B', to: 'pool two B', by: 'user', amount: 70n }),
        move({ from: 'pool two C', to: 'user C', by: 'pool two', amount: 50n }),
      ],
    };
    const event = swap('A', 'B', { outerIx: 0, innerIx: 0 });
    expect(unexplained([called('router', [HOP, second])], [event])).toEqual([
      { at: '0.3', authority: address('pool two'), changes: { B: 70n, C: -50n } },
    ]);
  });

  test('is empty for a router that passes on what it receives', () => {
    const routed = called('router', [
      move({ from: 'user A', to: 'router A', by: 'user', amount: 100n }),
      called('amm', [
        move({ from: 'router A', to: 'pool A', by: 'router', amount: 100n }),
        move({ from: 'pool B', to: 'router B', by: 'pool', amount: 70n }),
      ]),
      move({ from: 'router B', to: 'user B', by: 'router', amount: 70n }),
    ]);
    expect(unexplained([routed])).toMatchObject([{ at: '0.1' }]);
    expect(unexplained([routed], [swap('A', 'B', { outerIx: 0, innerIx: 1 })])).toEqual([]);
  });

  test('is found when one of two hops of a pool has no event', () => {
    const back = called('amm', [
      move({ from: 'user B', to: 'pool B', by: 'user', amount: 70n }),
      move({ from: 'pool A', to: 'user A', by: 'pool', amount: 90n }),
    ]);
    const event = swap('A', 'B', { outerIx: 0, innerIx: 0 });
    expect(unexplained([called('bot', [HOP, back])], [event])).toMatchObject([{ at: '0.3' }]);
  });

  test('is empty between two signers, or for a wallet whose delegate pays', () => {
    expect(unexplained([HOP], [], ['user', 'pool'])).toEqual([]);
    const byDelegate = move({ from: 'pool B', to: 'user B', by: 'delegate', amount: 70n });
    expect(unexplained([called('amm', [paid, byDelegate])])).toEqual([]);
  });

  test('is empty when more was burned than paid: a redemption and its fee', () => {
    const redeemed = called('stake pool', [
      move({ from: 'router A', to: 'fees A', by: 'router', amount: 1n }),
      burn('router A', A, 99n),
      move({ from: 'pool B', to: 'router B', by: 'pool', amount: 70n }),
    ]);
    expect(unexplained([redeemed])).toEqual([]);
  });
});

function called(program: string, inner: readonly InstructionDraft[]): InstructionDraft {
  return { program: address(program), inner };
}

/** A sell of 100 of the base for 70 of the quote. */
function swap(base: string, quote: string, rest: Partial<ReturnType<typeof swapEvent>>) {
  const amounts = { trader: user, side: 'sell', baseRaw: 100n, quoteRaw: 70n } as const;
  return swapEvent(amounts, { baseMint: address(base), quoteMint: address(quote), ...rest });
}

function unexplained(
  instructions: readonly InstructionDraft[],
  events: readonly ChainEvent[] = [],
  signers: readonly string[] = ['user'],
) {
  const holders = ['user', 'pool', 'pool two', 'router'];
  const accounts = holders.flatMap((owner) => [
    balanceOf(`${owner} A`, A, owner, 900n, 900n, 6),
    balanceOf(`${owner} B`, B, owner, 900n, 900n, 6),
    balanceOf(`${owner} C`, C, owner, 900n, 900n, 6),
  ]);
  const transaction = buildTransaction({
    signers: signers.map(address),
    instructions,
    tokenBalances: [...accounts, balanceOf('fees A', A, 'fees', 1n, 2n, 6)],
  });
  const words = new Map([A, B, C].map((mint, at) => [mint, 'ABC'[at] ?? '']));
  const view = new TransactionView(transaction, () => false);
  return poolMovementOf(view, events).unexplained.map((found) => ({
    at: `${found.instruction.outerIx}.${found.instruction.innerIx}`,
    authority: found.authority,
    changes: Object.fromEntries([...found.changes].map(([mint, by]) => [words.get(mint), by])),
  }));
}
