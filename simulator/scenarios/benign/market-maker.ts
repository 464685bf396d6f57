import { WRAPPED_SOL } from '../../../src/model/program.ts';
import type { Address } from '../../../src/model/units.ts';
import {
  ensureTokenAccount,
  unwrapLamports,
  wrapLamports,
} from '../../programs/associated-token.ts';
import type { LiquidityPool } from '../../venues/launchpad.ts';
import { attractAudience, mintPoolToken } from '../audience.ts';
import type { BenignGroup } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { heldOf, partOf, purchaseOrder, saleOrder, tokenOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script } from '../script.ts';
import { land, type PlainOrder } from '../sending.ts';
import { openStaged } from '../staged-pool.ts';

const POOL_LAMPORTS = 60_000_000_000n;
const MAKER_LAMPORTS = 25_000_000_000n;
const MAKER_SHARE = 0.08;
const ROUNDS = { least: 80, more: 40 } as const;
const ROUND_MS = { least: 2_000, most: 6_000 } as const;
const TRADE_LAMPORTS = 300_000_000n;
/** Weight of the previous value in the maker's moving price estimate. */
const MEMORY = 0.75;
/** Minimum deviation of the price for a trade: its fees are a quarter of a percent each way. */
const EDGE = 0.006;
/** How far its price shifts with an empty or a doubled inventory. */
const SKEW = 0.06;
const LIQUIDITY_EVERY_ROUNDS = 12;
const LIQUIDITY_LAMPORTS = 2_000_000_000n;

/**
 * N6: trades both sides and moves liquidity in and out; it earns from the spread, not from
 * volume. A market maker buys below and sells above its price, and moves liquidity in and out.
 */
export function* marketMaker(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const rounds = random.count(ROUNDS);
  const maker = group.open('bot', 'market maker');
  yield* withdraw(context, maker, MAKER_LAMPORTS);
  const staged = yield* mintPoolToken(context, POOL_LAMPORTS);
  if (staged === null) return;
  const { creator } = staged;
  const { mint } = staged.token;
  const transfers = [{ wallet: maker, share: MAKER_SHARE }];
  yield* land(world, tokenOrder(context, creator, mint, transfers));
  const share = { supplyShare: 0.8, lamports: POOL_LAMPORTS };
  const slot = yield* openStaged(context, staged, share);
  if (slot === null) return;
  group.begin(mint, slot, { rounds });
  const nerves = { nervousShare: 0.3, impatientShare: 0.9 };
  attractAudience(context, mint, 0.4, { count: 60, overMs: 300_000, medianSol: 0.9, ...nerves });
  yield* make(context, maker, staged.pool, rounds);
  group.end();
}

function* make(
  context: ScenarioContext,
  maker: Address,
  pool: LiquidityPool,
  rounds: number,
): Script {
  const { world, random } = context;
  const { ledger } = world.chain;
  const wanted = Number(heldOf(context, maker, pool.baseMint));
  let mean = pool.spotPrice(ledger);
  for (let round = 1; round <= rounds; round++) {
    yield* pause(world, random.within(ROUND_MS));
    const price = pool.spotPrice(ledger);
    const held = Number(heldOf(context, maker, pool.baseMint));
    const fair = mean * (1 + SKEW * (1 - held / wanted));
    if (round % LIQUIDITY_EVERY_ROUNDS === 0) {
      const provides = heldOf(context, maker, pool.lpMint ?? WRAPPED_SOL) > 0n;
      yield* land(world, provides ? takeBack(context, maker, pool) : provide(context, maker, pool));
    } else if (price < fair * (1 - EDGE)) {
      const purchase = { trader: maker, market: pool, lamports: TRADE_LAMPORTS };
      yield* land(world, purchaseOrder(context, purchase));
    } else if (price > fair * (1 + EDGE) && held > 0) {
      const share = Math.min(1, Number(TRADE_LAMPORTS) / price / held);
      yield* land(world, saleOrder(context, { trader: maker, market: pool, share }));
    }
    mean = mean * MEMORY + price * (1 - MEMORY);
  }
}

function provide(context: ScenarioContext, maker: Address, pool: LiquidityPool): PlainOrder {
  const { tokenAccounts } = context.world;
  const baseRaw = partOf(heldOf(context, maker, pool.baseMint), 0.4);
  return {
    feePayer: maker,
    computeBudget: { unitLimit: 300_000, priceMicroLamports: 50_000n },
    build(execution) {
      wrapLamports(execution, tokenAccounts, maker, LIQUIDITY_LAMPORTS);
      pool.addLiquidity(execution, maker, baseRaw, LIQUIDITY_LAMPORTS);
      unwrapLamports(execution, tokenAccounts, maker);
    },
  };
}

function takeBack(context: ScenarioContext, maker: Address, pool: LiquidityPool): PlainOrder {
  const { tokenAccounts } = context.world;
  return {
    feePayer: maker,
    computeBudget: { unitLimit: 300_000, priceMicroLamports: 50_000n },
    build(execution) {
      const lp = pool.lpMint ?? WRAPPED_SOL;
      const lpRaw = execution.ledger.heldRaw(tokenAccounts.of(maker, lp));
      ensureTokenAccount(execution, tokenAccounts, maker, maker, WRAPPED_SOL);
      pool.removeLiquidity(execution, maker, lpRaw);
      unwrapLamports(execution, tokenAccounts, maker);
    },
  };
}
