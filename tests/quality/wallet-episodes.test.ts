import { describe, expect, test } from 'vitest';
import { USDC, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { WalletEpisodes } from './wallet-episodes.ts';

const [WALLET, MINT] = ['Wallet', 'Mint'] as [Address, Address];
const SOL = 1_000_000_000n;

function fact(side: 'buy' | 'sell', baseRaw: bigint, quoteRaw: bigint, quoteMint = WRAPPED_SOL) {
  const pool = 'Pool' as Address;
  const parties = { pool, baseMint: MINT, quoteMint, trader: WALLET };
  return {
    kind: 'trade',
    venue: 'pump',
    ...parties,
    side,
    baseRaw,
    quoteRaw,
    keptQuoteRaw: 0n,
  } as const;
}

function returnOf(facts: readonly ReturnType<typeof fact>[], worth = 0n): number | undefined {
  const episodes = new WalletEpisodes();
  for (const each of facts) episodes.applyTrade(each);
  return episodes.close(() => worth)[0]?.logReturn;
}

describe('returns by wallet and mint', () => {
  test('are the logarithm of proceeds over cost', () => {
    expect(returnOf([fact('buy', 100n, SOL), fact('sell', 100n, 2n * SOL)])).toBeCloseTo(
      Math.LN2,
      9,
    );
  });

  test('count the remainder at its value', () => {
    const facts = [fact('buy', 100n, SOL), fact('sell', 50n, SOL / 4n)];
    expect(returnOf(facts, SOL / 4n)).toBeCloseTo(-Math.LN2, 9);
  });

  test('count only the part of a sale that was bought in the same period', () => {
    // A hundred of the four hundred sold were bought here: a quarter of the proceeds.
    expect(returnOf([fact('buy', 100n, SOL), fact('sell', 400n, 4n * SOL)])).toBeCloseTo(0, 9);
    expect(returnOf([fact('sell', 400n, 4n * SOL)])).toBeUndefined();
  });

  test('are limited to ± 3', () => {
    expect(returnOf([fact('buy', 100n, SOL)])).toBe(-3);
    expect(returnOf([fact('buy', 1n, SOL), fact('sell', 1n, 100n * SOL)])).toBe(3);
  });

  test('include only trades in SOL', () => {
    expect(returnOf([fact('buy', 100n, SOL, USDC)])).toBeUndefined();
  });
});
