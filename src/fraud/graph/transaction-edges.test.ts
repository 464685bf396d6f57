import { describe, expect, test } from 'vitest';
import { swapEvent, transactionFacts } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import type { Liquidity, SolTransfer, TokenTransfer } from '../../model/chain-event.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { Swap } from '../../model/swap.ts';
import { asLamports, asRawAmount, asSlot } from '../../model/units.ts';
import { transactionEdges } from './transaction-edges.ts';

const [ann, bob, stranger] = [address('ann'), address('bob'), address('stranger')];
const mint = address('mint');
const position = { outerIx: 0, innerIx: -1 };

const swap = (given: Partial<Swap>): Swap => ({
  ...swapEvent({ trader: ann, side: 'buy', baseRaw: 10n, quoteRaw: 2n }),
  ...{ baseMint: mint, trader: ann },
  ...given,
});
const sol = (from: typeof ann, to: typeof ann, given: Partial<SolTransfer> = {}): SolTransfer => ({
  ...{ kind: 'solTransfer', transferKind: 'transfer', from, to, lamports: asLamports(4n) },
  ...position,
  ...given,
});
const tokens = (given: Partial<TokenTransfer> = {}): TokenTransfer => ({
  ...{ kind: 'tokenTransfer', transferKind: 'transfer', mint, fromOwner: ann, toOwner: bob },
  ...{ amountGross: asRawAmount(10n), feeWithheld: asRawAmount(1n) },
  ...position,
  ...given,
});

const liquidity = (given: Partial<Liquidity>): Liquidity => ({
  ...{ kind: 'liquidity', venue: 'raydium_cpmm', pool: address('pool'), provider: ann },
  ...{ baseMint: mint, quoteMint: WRAPPED_SOL, lpDelta: null, reserves: null },
  ...{ poolBaseDelta: asRawAmount(-10n), poolQuoteDelta: asRawAmount(-4n) },
  ...position,
  ...given,
});

const edgesOf = (...events: (Swap | SolTransfer | TokenTransfer | Liquidity)[]) => {
  const facts = transactionFacts({ txIndex: 3, events });
  return transactionEdges(facts, asSlot(9), mint, new Set([ann, bob])).map(
    ({ slot, txIndex, signature, ...edge }) => {
      expect([slot, txIndex, signature]).toEqual([9, 3, facts.signature]);
      return edge;
    },
  );
};

describe('what a transaction shows about wallets', () => {
  test('are payments and transfers between them, less withheld fees', () => {
    expect(edgesOf(sol(ann, bob), tokens())).toEqual([
      { from: ann, to: bob, kind: 'payment', lamports: 4n, tokensRaw: null },
      { from: ann, to: bob, kind: 'token_transfer', lamports: null, tokensRaw: 9n },
    ]);
  });

  test('is nothing about others, other mints, rent or minting', () => {
    expect(
      edgesOf(
        sol(ann, stranger),
        sol(stranger, bob),
        sol(ann, bob, { transferKind: 'createAccount' }),
        tokens({ mint: address('other') }),
        tokens({ transferKind: 'burn', toOwner: null }),
        tokens({ toOwner: ann }),
        tokens({ toOwner: stranger }),
        swap({ trader: stranger }),
        swap({ trader: null }),
        swap({ baseMint: address('other') }),
      ),
    ).toEqual([]);
  });

  test('are their trades, one for each wallet, pool and side', () => {
    const one = { traderBaseDelta: asRawAmount(10n), traderQuoteDelta: asRawAmount(-2n) };
    const other = { traderBaseDelta: asRawAmount(5n), traderQuoteDelta: asRawAmount(-1n) };
    const pool = address('pool-t');
    const [first] = edgesOf(swap(one));
    expect(first).toMatchObject({ from: ann, kind: 'buy', lamports: 2n, tokensRaw: 10n });
    const both = edgesOf(
      swap({ ...one, pool }),
      swap({ ...other, pool }),
      swap({ ...one, trader: bob, pool }),
    );
    expect(both).toEqual([
      { from: ann, to: pool, kind: 'buy', lamports: 3n, tokensRaw: 15n },
      { from: bob, to: pool, kind: 'buy', lamports: 2n, tokensRaw: 10n },
    ]);
  });

  test('is liquidity that they add to a pool of the mint or take out of it', () => {
    const pool = address('pool');
    const added = { poolBaseDelta: asRawAmount(10n), poolQuoteDelta: asRawAmount(4n) };
    expect(edgesOf(liquidity({}), liquidity({ ...added, provider: bob }))).toEqual([
      { from: ann, to: pool, kind: 'liquidity_removed', lamports: 4n, tokensRaw: 10n },
      { from: bob, to: pool, kind: 'liquidity_added', lamports: 4n, tokensRaw: 10n },
    ]);
    // One side only, as of a range above or below the price; in dollars.
    expect(
      edgesOf(
        liquidity({ poolQuoteDelta: asRawAmount(0n) }),
        liquidity({ quoteMint: address('dollar') }),
      ),
    ).toMatchObject([
      { kind: 'liquidity_removed', lamports: null, tokensRaw: 10n },
      { kind: 'liquidity_removed', lamports: null, tokensRaw: 10n },
    ]);
    expect(
      edgesOf(liquidity({ provider: stranger }), liquidity({ baseMint: address('other') })),
    ).toEqual([]);
  });

  test('is no amount in SOL for a trade in another quote', () => {
    expect(edgesOf(swap({ quoteMint: address('dollar') }))).toMatchObject([{ lamports: null }]);
  });
});
