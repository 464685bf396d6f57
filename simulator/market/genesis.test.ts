import { describe, expect, test } from 'vitest';
import { encodeBase58 } from '../../src/lib/base58.ts';
import { USDC, WRAPPED_SOL } from '../../src/model/program.ts';
import {
  expectConserved,
  expectExplained,
  expectReserves,
  LAMPORTS,
  Scene,
  SOL_USD,
} from '../../tests/support/simulated-scene.ts';
import { bytesOf } from '../chain/keyring.ts';
import { BUILTIN_PROGRAMS, DEPLOYED_PROGRAMS, EXCHANGE_WALLETS } from './common-accounts.ts';
import { rawPriceOf } from './genesis.ts';

describe('the state before the first slot', () => {
  test('is the same for the same seed', () => {
    const entriesOf = (seed: string) => [...new Scene(seed).ledger.entries()];
    expect(entriesOf('a')).toEqual(entriesOf('a'));
    expect(entriesOf('a')).not.toEqual(entriesOf('b'));
  });

  test('is balanced: tokens are minted, wrapped SOL is backed', () => {
    expectConserved(new Scene().ledger);
  });

  test('has three pools of SOL at one price, deep enough that $10,000 move it little', () => {
    const { ledger, genesis } = new Scene();
    expect(genesis.solUsdcPools.map(({ venue }) => venue)).toEqual([
      ...['raydium_amm_v4', 'raydium_cpmm', 'meteora_dlmm'],
    ]);
    for (const pool of genesis.solUsdcPools) {
      expect([pool.baseMint, pool.quoteMint]).toEqual([WRAPPED_SOL, USDC]);
      expect(Math.abs(pool.spotPrice(ledger) / rawPriceOf(SOL_USD) - 1)).toBeLessThan(0.0021);
      const bought = Number(pool.quote(ledger, 'buy', 10_000_000_000n)) / 1e9;
      // Fees of 0.2 to 0.25 %, a bin of 0.2 % and the price impact.
      expect(Math.abs(10_000 / bought / SOL_USD - 1)).toBeLessThan(0.007);
    }
  });

  test('allows trades in the pools immediately, as the decoders read them', () => {
    const scene = new Scene();
    const trader = scene.genesis.priceKeeper;
    for (const pool of scene.genesis.solUsdcPools) {
      for (const side of ['buy', 'sell'] as const) {
        const amountInRaw = side === 'buy' ? 900_000_000n : 5n * LAMPORTS;
        const trade = { trader, side, amountInRaw, minOutRaw: 1n };
        const swapped = scene.run({ payer: trader, build: (on) => pool.swap(on, trade) });
        expectExplained(swapped);
        expectReserves(scene, pool, swapped);
      }
    }
    expectConserved(scene.ledger);
  });

  test('withstands a fall and a rise by a fifth in the pool of bins', () => {
    const { ledger, genesis } = new Scene();
    const pool = genesis.solUsdcPools[2];
    // 16,000 SOL above and below the first position; a trade may use two of three positions.
    expect(pool?.quote(ledger, 'sell', 12_000n * LAMPORTS)).not.toBe(0n);
    expect(pool?.quote(ledger, 'buy', 2_000_000_000_000n)).not.toBe(0n);
  });

  test('has valid addresses for every program and exchange', () => {
    for (const address of [...BUILTIN_PROGRAMS, ...DEPLOYED_PROGRAMS, ...EXCHANGE_WALLETS]) {
      expect(encodeBase58(bytesOf(address))).toBe(address);
    }
  });
});
