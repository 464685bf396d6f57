import { describe, expect, test } from 'vitest';
import {
  balanceChange,
  poolCreated,
  transactionFacts,
} from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  createTrader,
  DOLLAR,
  fold,
  mint,
  pool,
  SOL,
  START_MS,
  second,
  TOKEN,
} from '../../../tests/support/master-fixture.ts';
import { USDC, WRAPPED_SOL } from '../../model/program.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import { Engine } from '../engine.ts';

describe('a pool of an older token', () => {
  test('creates a token of which only the trade is known', () => {
    const trade = createTrader();
    const { engine } = fold([second(3, trade('A', 'buy', SOL, 1_000_000n))]);
    expect(engine.token(mint)).toMatchObject({
      supplyRaw: null,
      creator: null,
      creationSlot: null,
      liquidityEvent: null,
      decimals: 6,
      primaryPool: pool,
      priceUsd: 2n * 10n ** 14n,
      createdAtMs: START_MS + 3_000,
    });
    expect(engine.pool(pool)).toMatchObject({ createdSlot: null, creator: null });
    expect(engine.token(WRAPPED_SOL)).toBeNull();
  });

  test('prevents a later pool from counting as its first liquidity', () => {
    const trade = createTrader();
    const { engine } = fold([
      second(3, trade('A', 'buy', SOL, 1_000_000n)),
      second(
        4,
        transactionFacts({
          txIndex: 0,
          events: [poolCreated(5n, 5n * SOL, { pool: address('new') })],
        }),
      ),
    ]);
    expect(engine.token(mint)?.liquidityEvent).toBeNull();
  });
});

describe('the pools of one token', () => {
  const other = address('pool-u');
  const create = (t: number, at: Address, quoteRaw: bigint, rest = {}) =>
    second(
      t,
      transactionFacts({
        txIndex: 0,
        events: [poolCreated(TOKEN, quoteRaw, { pool: at, ...rest })],
      }),
    );

  test('change the primary when another holds over a tenth more', () => {
    const { engine } = fold([create(0, pool, 100n * SOL), create(1, other, 110n * SOL)]);
    expect(engine.token(mint)?.primaryPool).toBe(pool);
    const { changes } = fold(
      [
        second(
          2,
          transactionFacts({
            txIndex: 0,
            events: [
              {
                kind: 'liquidity',
                outerIx: 0,
                innerIx: -1,
                venue: 'raydium_cpmm',
                pool: other,
                baseMint: mint,
                quoteMint: WRAPPED_SOL,
                provider: address('lp'),
                poolBaseDelta: asRawAmount(0n),
                poolQuoteDelta: asRawAmount(1n),
                lpDelta: null,
                reserves: null,
              },
            ],
          }),
        ),
      ],
      engine,
    );
    expect(engine.pool(other)?.reserves?.quote).toBe(110n * SOL + 1n);
    expect(changes[0]?.tokens.map(({ primaryPool }) => primaryPool)).toEqual([other]);
  });

  test('are compared in USD, for any quote', () => {
    const { engine } = fold([
      create(0, pool, 100n * SOL),
      create(1, other, 22_001n * TOKEN, { quoteMint: USDC, quoteDecimals: 6 }),
    ]);
    expect(engine.token(mint)?.primaryPool).toBe(other);
  });

  test('keep the first one as primary while USD is unknown', () => {
    const { engine } = fold(
      [create(0, pool, 1n * SOL), create(1, other, 900n * SOL)],
      new Engine({ fallbackSolUsd: null }),
    );
    expect(engine.token(mint)?.primaryPool).toBe(pool);
    expect(engine.token(mint)?.liquidityEvent).toMatchObject({ lamports: SOL, valueUsd: null });
  });

  test('set the first liquidity also when a pool received it after its creation', () => {
    const deposit = (poolQuoteDelta: bigint, t: number) =>
      second(
        t,
        transactionFacts({
          txIndex: 0,
          events: [
            {
              kind: 'liquidity',
              outerIx: 0,
              innerIx: -1,
              venue: 'raydium_clmm',
              pool,
              baseMint: mint,
              quoteMint: WRAPPED_SOL,
              provider: address('lp'),
              poolBaseDelta: asRawAmount(TOKEN),
              poolQuoteDelta: asRawAmount(poolQuoteDelta),
              lpDelta: null,
              reserves: null,
            },
          ],
        }),
      );
    const { engine } = fold([create(0, pool, 0n), deposit(0n, 1)]);
    expect(engine.token(mint)?.liquidityEvent).toBeNull();
    fold([deposit(4n * SOL, 2), deposit(9n * SOL, 3)], engine);
    expect(engine.token(mint)?.liquidityEvent).toMatchObject({
      lamports: 4n * SOL,
      baseRaw: TOKEN,
      slot: 1_002,
    });
  });

  test('have first liquidity in SOL, through USD, for any quote', () => {
    const { engine } = fold([
      create(0, other, 22_001n * TOKEN, { quoteMint: USDC, quoteDecimals: 6 }),
    ]);
    // $22,001 at $200 for one SOL.
    expect(engine.token(mint)?.liquidityEvent).toMatchObject({
      lamports: 110_005_000_000n,
      valueUsd: 22_001n * DOLLAR,
    });
  });

  test('mark the owner of their vaults as a pool', () => {
    const vaultOwner = address('authority');
    const created = poolCreated(TOKEN, SOL, { vaultOwner });
    const facts = { events: [created], tokenBalances: [balanceChange(vaultOwner, 0n, TOKEN)] };
    const { engine } = fold([second(0, transactionFacts({ txIndex: 0, ...facts }))]);
    expect(engine.topHolders(mint, 5).map(({ owner, isPool }) => [owner, isPool])).toEqual([
      [vaultOwner, true],
    ]);
    expect(engine.holderCount(mint)).toBe(0);
  });

  test('set the first liquidity also after an empty creation', () => {
    const { engine } = fold([create(0, pool, 0n), create(1, other, 7n * SOL)]);
    expect(engine.token(mint)?.liquidityEvent).toMatchObject({ pool: other, lamports: 7n * SOL });
  });
});
