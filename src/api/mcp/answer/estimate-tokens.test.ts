import { describe, expect, test } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

/**
 * Numbers of tokens that two published tokenizers (cl100k and o200k) count; the larger one. The
 * estimate bounds a text by its length, so it must not be below either.
 */
const COUNTED: readonly (readonly [text: string, tokens: number])[] = [
  ['HbwPjvGVMvYjAvcgv1Syz2NFHzNHW27sButz2App9mcH', 30],
  ['5rZXTswGsdnucDGKtvAysKBPDx4iRSPBPB2UCNctLdRYg75GCNRquMKqzbp1zen3fTuyDe767fZ97cmRtJU87TBr', 58],
  ['126ec352-ff62-5c3e-80f9-b527ec440982', 20],
  [
    '{"token_address":"HbwPjvGVMvYjAvcgv1Syz2NFHzNHW27sButz2App9mcH","created_at":"2026-01-01T00:04:19.000Z","marketcap_usd":"9632.98","liquidity_usd":null}',
    72,
  ],
  ['100.0 % of 10 rounds cost about their fees: they were paid for nothing.', 19],
  ['organic_to_total_wallets_ratio', 6],
  ['{"price_usd":"0.000099701809017782","holders":463,"trades":417}', 23],
  ['\\\\u202e\\\\u200b\\\\u0000', 12],
  ['狗狗币 🚀🚀 Кот', 16],
  ['Z\u0301\u0489', 4],
  ['strawberry antidisestablishmentarianism', 9],
];

describe('the estimate of tokens', () => {
  test.each(COUNTED)('is at least what tokenizers count: %s', (text, tokens) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens);
  });

  test('is of nothing for nothing, and grows with the text', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('cat cat')).toBe(2 * estimateTokens('cat'));
  });

  test('is never below the bytes of what has no words', () => {
    expect(estimateTokens('狗')).toBe(3);
    expect(estimateTokens('🚀🚀')).toBe(8);
  });
});
