import { describe, expect, test } from 'vitest';
import { address, buildTransaction } from '../../../tests/support/build-transaction.ts';
import { initializeAccount3 } from '../../../tests/support/token-instructions.ts';
import { USDC, USDT, WRAPPED_SOL } from '../../model/program.ts';
import { TransactionView } from '../transaction/transaction-view.ts';
import { orientPair } from './pool-pair.ts';

const CAT = address('cat');
const [lesser = '', greater = ''] = [CAT, address('dog')].sort();

describe('the quote of two vaults', () => {
  test.each([
    { name: 'SOL against a token', base: CAT, quote: WRAPPED_SOL },
    { name: 'USDC against SOL', base: WRAPPED_SOL, quote: USDC },
    { name: 'USDC against USDT', base: USDT, quote: USDC },
    { name: 'USDT against a token', base: CAT, quote: USDT },
    {
      name: 'the greater text of two tokens',
      base: lesser,
      quote: greater,
    },
  ])('is $name, in either order', ({ base, quote }) => {
    const { view, index } = viewOf(base, quote);
    const pair = {
      base: index('base vault'),
      quote: index('quote vault'),
      baseMint: base,
      quoteMint: quote,
      baseDecimals: 5,
      quoteDecimals: 8,
    };
    expect(orientPair(view, index('base vault'), index('quote vault'))).toEqual(pair);
    expect(orientPair(view, index('quote vault'), index('base vault'))).toEqual(pair);
  });
});

describe('a vault created in the transaction', () => {
  test("has the decimals shown by any other account's balance of its mint", () => {
    const { view, index } = viewOf(CAT, WRAPPED_SOL);
    expect(orientPair(view, index('new cat vault'), index('quote vault'))).toMatchObject({
      base: index('new cat vault'),
      baseMint: CAT,
      baseDecimals: 5,
    });
  });

  test('cannot be oriented when its decimals or its mint are unknown', () => {
    const { view, index } = viewOf(CAT, WRAPPED_SOL);
    const unknown = 'a vault without a known mint or decimals';
    expect(orientPair(view, index('new dog vault'), index('quote vault'))).toBe(unknown);
    expect(orientPair(view, index('base vault'), index('stranger'))).toBe(unknown);
  });
});

function viewOf(base: string, quote: string) {
  const transaction = buildTransaction({
    signers: [address('stranger')],
    instructions: [
      initializeAccount3('new cat vault', CAT, 'pool'),
      initializeAccount3('new dog vault', address('unseen'), 'pool'),
    ],
    tokenBalances: [
      { account: address('base vault'), mint: base, decimals: 5 },
      { account: address('quote vault'), mint: quote, decimals: 8 },
    ],
  });
  const view = new TransactionView(transaction, () => false);
  return { view, index: (word: string) => transaction.keys.indexOf(address(word)) };
}
