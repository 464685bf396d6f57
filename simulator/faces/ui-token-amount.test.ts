import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTestData, testData } from '../../tests/support/test-data.ts';
import { floatJson, integerJson } from './rust-number.ts';
import { uiTokenAmount, uiTokenBalance } from './ui-token-amount.ts';

describe('a float', () => {
  // Written by Rust's serde_json 1.0 for the same doubles.
  test.each([
    [0, '0.0'],
    [1, '1.0'],
    [250, '250.0'],
    [55.390797426, '55.390797426'],
    [0.1, '0.1'],
    [0.00001, '0.00001'],
    [0.000011221, '0.000011221'],
    [0.000001, '1e-6'],
    [0.0000014927, '1.4927e-6'],
    [9.1e-8, '9.1e-8'],
    [1_000_000_000_000_000, '1000000000000000.0'],
    [1_234_567_890_123_456.8, '1234567890123456.8'],
    [1e16, '1e16'],
    [1.8446744073709552e19, '1.8446744073709552e19'],
  ])('%d is written as %s', (value, text) => {
    expect(JSON.stringify([floatJson(value)])).toBe(`[${text}]`);
  });
});

describe('an integer', () => {
  test('beyond 2^53 keeps every digit in the text', () => {
    const values = [0n, 9_007_199_254_740_991n, 9_007_199_254_740_993n, 2n ** 64n - 1n];
    expect(JSON.stringify(values.map(integerJson))).toBe(
      '[0,9007199254740991,9007199254740993,18446744073709551615]',
    );
  });
});

describe('a token amount', () => {
  test('is given in raw units, as a float and as a trimmed decimal', () => {
    expect(uiTokenAmount(1_500_000n, 6)).toEqual({
      amount: '1500000',
      decimals: 6,
      uiAmount: 1.5,
      uiAmountString: '1.5',
    });
    expect(uiTokenAmount(7n, 0).uiAmountString).toBe('7');
    expect(uiTokenAmount(7n, 20).uiAmount).toBeNull();
  });

  test('of zero has no float among balances and 0.0 in an instruction', () => {
    expect(uiTokenBalance(0n, 6).uiAmount).toBeNull();
    expect(JSON.stringify(uiTokenAmount(0n, 6).uiAmount)).toBe('0.0');
  });

  test.skipIf(!hasTestData)('is formatted exactly as in a recorded block', () => {
    const text = readFileSync(join(testData, 'chain/ai-nyan-bot+bot/block_326027759.json'), 'utf8');
    let compared = 0;
    for (const [, amount = ''] of text.matchAll(/"uiTokenAmount":(\{[^}]*\})/g)) {
      const recorded: { amount: string; decimals: number; uiAmountString: string } =
        JSON.parse(amount);
      const { uiAmount, uiAmountString } = uiTokenBalance(
        BigInt(recorded.amount),
        recorded.decimals,
      );
      expect(JSON.stringify(uiAmount)).toBe(/"uiAmount":([^,]*),/.exec(amount)?.[1]);
      expect(uiAmountString).toBe(recorded.uiAmountString);
      compared++;
    }
    expect(compared).toBe(1_962);
  });
});
