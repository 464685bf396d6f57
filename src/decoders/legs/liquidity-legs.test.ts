import { describe, expect, test } from 'vitest';
import {
  address,
  buildTransaction,
  type InstructionDraft,
  type TokenBalanceDraft,
} from '../../../tests/support/build-transaction.ts';
import { addedTo, createdBy } from '../../../tests/support/pool-events.ts';
import { burn, mintTo, transfer } from '../../../tests/support/token-instructions.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { TransactionView } from '../transaction/transaction-view.ts';
import { type LiquidityAccounts, readLiquidity, readPoolCreated } from './liquidity-legs.ts';

const VENUE = address('venue');
const MINT = address('mint');
const LP = address('lp mint');

const move = (from: string, to: string, amount: bigint) =>
  transfer({ from, to, by: 'provider', amount });
const vaults = (base: [bigint, bigint], quote: [bigint, bigint]): TokenBalanceDraft[] => [
  vault('base vault', MINT, base),
  vault('quote vault', WRAPPED_SOL, quote),
];

describe('a deposit or withdrawal', () => {
  test('has the vault gains and the LP tokens minted', () => {
    const { view, instruction, accounts } = draft(
      [move('a', 'base vault', 30n), move('b', 'quote vault', 60n), mintTo(LP, 'c', 40n)],
      vaults([100n, 130n], [200n, 260n]),
    );
    expect(readLiquidity(view, instruction, accounts)).toEqual({
      status: 'event',
      event: addedTo('raydium_cpmm', {
        baseMint: MINT,
        provider: address('provider'),
        poolBaseDelta: 30n,
        poolQuoteDelta: 60n,
        lpDelta: 40n,
        reserves: { base: 130n, quote: 260n, virtualBase: null, virtualQuote: null },
      }),
    });
  });

  test('is negative when tokens left and LP tokens burnt', () => {
    const { view, instruction, accounts } = draft(
      [burn('c', LP, 7n), move('base vault', 'a', 5n), move('quote vault', 'b', 6n)],
      vaults([100n, 95n], [200n, 194n]),
    );
    expect(readLiquidity(view, instruction, accounts)).toMatchObject({
      event: { poolBaseDelta: -5n, poolQuoteDelta: -6n, lpDelta: -7n },
    });
  });

  test('may have only one side, and no LP tokens', () => {
    const { view, instruction, accounts } = draft(
      [move('b', 'quote vault', 60n), mintTo(address('position'), 'c', 1n)],
      vaults([100n, 100n], [200n, 260n]),
    );
    expect(readLiquidity(view, instruction, { ...accounts, lpMint: -1 })).toMatchObject({
      event: { poolBaseDelta: 0n, poolQuoteDelta: 60n, lpDelta: null },
    });
  });

  test('is nothing when no vault changed', () => {
    const { view, instruction, accounts } = draft([move('a', 'b', 1n)], vaults([1n, 1n], [1n, 1n]));
    expect(readLiquidity(view, instruction, accounts)).toEqual({ status: 'nothing' });
  });

  test('is malformed without its accounts or the mints of its vaults', () => {
    const { view, instruction, accounts } = draft([], []);
    expect(readLiquidity(view, instruction, { ...accounts, provider: -1 })).toEqual({
      status: 'malformed',
      reason: 'too few accounts',
    });
    expect(readLiquidity(view, instruction, accounts)).toEqual({
      status: 'malformed',
      reason: 'a vault without a known mint or decimals',
    });
  });
});

describe('a new pool', () => {
  test('starts with the amounts moved into its vaults', () => {
    const { view, instruction, accounts } = draft(
      [move('a', 'base vault', 900n), move('b', 'quote vault', 80n), mintTo(LP, 'c', 268n)],
      vaults([0n, 900n], [0n, 80n]),
    );
    expect(readPoolCreated(view, instruction, accounts)).toEqual({
      status: 'event',
      event: createdBy('raydium_cpmm', {
        baseMint: MINT,
        quoteDecimals: 6,
        creator: address('provider'),
        vaultOwner: address('authority'),
        baseRaw: 900n,
        quoteRaw: 80n,
        lpMint: LP,
        lpRaw: 268n,
      }),
    });
  });

  test('starts with amounts deposited beforehand, without later ones', () => {
    const { view, instruction, accounts } = draft(
      [mintTo(LP, 'c', 268n)],
      vaults([0n, 900n], [0n, 95n]),
      {
        before: [move('a', 'base vault', 900n), move('b', 'quote vault', 80n)],
        after: [move('d', 'quote vault', 15n)],
      },
    );
    expect(readPoolCreated(view, instruction, accounts)).toMatchObject({
      event: { baseRaw: 900n, quoteRaw: 80n },
    });
  });
});

function draft(
  inner: readonly InstructionDraft[],
  tokenBalances: readonly TokenBalanceDraft[],
  around: { before?: readonly InstructionDraft[]; after?: readonly InstructionDraft[] } = {},
) {
  const venue = {
    program: VENUE,
    accounts: ['pool', 'base vault', 'quote vault'].map(address),
    inner,
  };
  const transaction = buildTransaction({
    signers: [address('provider')],
    instructions: [...(around.before ?? []), venue, ...(around.after ?? [])],
    tokenBalances,
  });
  const view = new TransactionView(transaction, (program) => program === VENUE);
  const instruction = transaction.instructions.find(({ programId }) => programId === VENUE);
  if (instruction === undefined) throw new Error('no venue');
  const index = (word: string) => transaction.keys.indexOf(address(word));
  const accounts: LiquidityAccounts = {
    venue: 'raydium_cpmm',
    pool: index('pool'),
    vaults: [index('base vault'), index('quote vault')],
    provider: index('provider'),
    lpMint: index('lp mint'),
  };
  return { view, instruction, accounts };
}

function vault(account: string, mint: string, [before, after]: [bigint, bigint]) {
  return { account: address(account), mint, owner: address('authority'), before, after };
}
