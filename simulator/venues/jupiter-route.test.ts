import { describe, expect, test } from 'vitest';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import { USDC, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import { openPool } from '../../tests/support/pool-walk.ts';
import {
  expectConserved,
  expectExplained,
  LAMPORTS,
  type Scene,
} from '../../tests/support/simulated-scene.ts';
import { ensureTokenAccount } from '../programs/associated-token.ts';
import { JUPITER_PROGRAM, quoteRoute, type RouteHop, routeSwap } from './jupiter-route.ts';
import { planRaydiumAmmV4 } from './raydium-amm-v4.ts';
import { planRaydiumCpmm } from './raydium-cpmm.ts';

function openMarket() {
  return openPool((context, pair) => planRaydiumCpmm(context, pair));
}

/** A second pool of the same token, at another price. */
function openSecond({ scene, creator, mint }: ReturnType<typeof openMarket>) {
  const planned = planRaydiumAmmV4(scene, { baseMint: mint, quoteMint: WRAPPED_SOL }, 'filled');
  scene.run({
    payer: creator,
    build: (on) => planned.create(on, creator, 10n ** 14n, 60n * LAMPORTS),
  });
  return planned.pool;
}

function send(scene: Scene, trader: Address, hops: readonly RouteHop[], amountInRaw: bigint) {
  const minOutRaw = quoteRoute(scene.ledger, hops, amountInRaw);
  return scene.run({
    payer: trader,
    version: 0,
    build: (on) => {
      for (const { market } of hops) {
        for (const mint of [market.baseMint, market.quoteMint]) {
          ensureTokenAccount(on, scene.tokenAccounts, trader, trader, mint);
        }
      }
      routeSwap(on, scene.tokenAccounts, { trader, hops, amountInRaw, minOutRaw });
    },
  });
}

function swapsOf(events: readonly ChainEvent[]): Swap[] {
  return events.filter((event) => event.kind === 'swap');
}

describe('a route of Jupiter', () => {
  test.each([0, 1, 2])('swaps from USDC through SOL to a token (pool %i of SOL)', (index) => {
    const { scene, mint, pool } = openMarket();
    const trader = scene.genesis.priceKeeper;
    const solPool = scene.genesis.solUsdcPools[index] ?? pool;
    const hops: RouteHop[] = [
      { market: solPool, side: 'buy' },
      { market: pool, side: 'buy' },
    ];
    const quoted = quoteRoute(scene.ledger, hops, 500_000_000n);
    const wrapped = scene.held(trader, WRAPPED_SOL);
    const routed = send(scene, trader, hops, 500_000_000n);
    expectExplained(routed);
    expect(scene.held(trader, mint)).toBe(quoted);
    expect(scene.held(trader, WRAPPED_SOL)).toBe(wrapped);
    const swaps = swapsOf(routed.events);
    expect(swaps.map(({ isIntermediateHop }) => isIntermediateHop)).toEqual([true, false]);
    expect(swaps.every(({ router }) => router === JUPITER_PROGRAM)).toBe(true);
    expect(swaps.every(({ isPureArbitrage }) => !isPureArbitrage)).toBe(true);
    expectConserved(scene.ledger);
  });

  test('between two pools of a token is classified as pure arbitrage when it pays', () => {
    const market = openMarket();
    const second = openSecond(market);
    const { scene, pool } = market;
    const trader = scene.wallet(LAMPORTS, 10n * LAMPORTS);
    const routed = send(
      scene,
      trader,
      [
        { market: pool, side: 'buy' },
        { market: second, side: 'sell' },
      ],
      LAMPORTS,
    );
    expectExplained(routed);
    expect(scene.held(trader, WRAPPED_SOL) > 10n * LAMPORTS).toBe(true);
    expect(swapsOf(routed.events).map(({ isPureArbitrage }) => isPureArbitrage)).toEqual([
      true,
      true,
    ]);
  });

  test('includes the accounts of every pool it calls', () => {
    const { scene, creator, pool } = openMarket();
    const { transaction } = send(scene, creator, [{ market: pool, side: 'buy' }], LAMPORTS);
    const [route, swap] = transaction.instructions.filter(({ stackHeight, data }) => {
      return (stackHeight === 1 && data.length > 20) || (stackHeight === 2 && data.length === 24);
    });
    const named = new Set(route?.accountIndexes);
    expect(swap?.accountIndexes.every((index) => named.has(index))).toBe(true);
    expect(named.has(swap?.programIndex ?? -1)).toBe(true);
  });

  test('fails on chain as a whole when the output is below the minimum', () => {
    const { scene, creator, mint, pool } = openMarket();
    const before = scene.held(creator, mint);
    const hops: RouteHop[] = [{ market: pool, side: 'buy' }];
    const minOutRaw = quoteRoute(scene.ledger, hops, LAMPORTS) + 1n;
    const route = { trader: creator, hops, amountInRaw: LAMPORTS, minOutRaw };
    const { transaction } = scene.run({
      payer: creator,
      build: (on) => routeSwap(on, scene.tokenAccounts, route),
    });
    expect(transaction.error).toEqual({ InstructionError: [0, { Custom: 6_001 }] });
    expect(transaction.facts).toEqual([]);
    expect(scene.held(creator, mint)).toBe(before);
  });

  test('pays out USDC from the third of three pools', () => {
    const { scene, creator, mint, pool } = openMarket();
    const [, , dlmm] = scene.genesis.solUsdcPools;
    const hops: RouteHop[] = [
      { market: pool, side: 'sell' },
      { market: dlmm ?? pool, side: 'sell' },
    ];
    const quoted = quoteRoute(scene.ledger, hops, 10n ** 12n);
    const before = scene.held(creator, mint);
    expectExplained(send(scene, creator, hops, 10n ** 12n));
    expect(scene.held(creator, USDC)).toBe(quoted);
    expect(before - scene.held(creator, mint)).toBe(10n ** 12n);
  });
});
