import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { ensureTokenAccount, unwrapLamports, wrapLamports } from '../programs/associated-token.ts';
import type { LiquidityPool } from '../venues/launchpad.ts';
import type { MeteoraDlmmPool } from '../venues/meteora-dlmm.ts';
import { expectedCost, tokensOfShare } from './amounts.ts';
import type { Crew } from './crew.ts';
import { CREW_PRIORITY, purchasesNow, SLOT_MS, splitUnevenly } from './crew-purchases.ts';
import { fundCrew } from './funding.ts';
import { evenGroups, purchaseOrder, TRADE_COST_LAMPORTS, tokenOrder } from './orders.ts';
import { pause, type Script, together } from './script.ts';
import { land, landWithRetries, type PlainOrder } from './sending.ts';
import {
  mintStaged,
  openStaged,
  type PlannedStagedPool,
  POOL_COST_LAMPORTS,
  planStagedPool,
  STAGED_SUPPLY_RAW,
} from './staged-pool.ts';
import {
  LAUNCH_COST_LAMPORTS,
  launchStaged,
  openMarket,
  planScenarioLaunch,
} from './staged-token.ts';

/** A crew's holdings before its exit. */
export interface ExitPosition {
  readonly mint: Address;
  readonly creator: Address;
  readonly wallets: readonly Address[];
  /** Withdraws the creator's liquidity; null if there is none. */
  readonly removeLiquidity: PlainOrder | null;
}

const EXPECTED_IN_CURVE_LAMPORTS = 12_000_000_000n;
/** Puppets buy one by one within this time, which avoids the look of a bundle. */
const GATHER_MS = { least: 12_000, most: 90_000 } as const;
/** Share of the supply in the creator's pool. */
const POOL_SHARE = 0.5;
const POOL_LAMPORTS = { least: 12_000_000_000, most: 30_000_000_000 } as const;
/** One-sided: lamports per whole supply at which the creator offers. */
const OFFERED_AT_LAMPORTS = 45_000_000_000;
const RECEIVERS_PER_TRANSACTION = 4;
const WALLET_LAMPORTS = 3n * TRADE_COST_LAMPORTS;
const FULL_BPS = 10_000n;

/** On a curve: puppets buy one after the other, between other buyers. */
export function* gatherOnCurve(
  crew: Crew,
  wallets: readonly Address[],
  creator: Address,
): Script<ExitPosition | null> {
  const { context, knobs } = crew;
  const { world, random } = context;
  const plan = planScenarioLaunch(context, creator);
  const tokens = tokensOfShare(knobs.supplyShare);
  const expected = expectedCost(tokens, EXPECTED_IN_CURVE_LAMPORTS);
  const each = (expected * 16n) / (10n * BigInt(wallets.length)) + WALLET_LAMPORTS;
  const own = { wallet: creator, lamports: LAUNCH_COST_LAMPORTS + WALLET_LAMPORTS };
  const payments = wallets.map((wallet) => ({ wallet, lamports: each }));
  yield* fundCrew(crew, [own, ...payments], plan.mint);
  const launched = yield* launchStaged(context, { plan, quality: random.between(0.3, 0.8) });
  if (launched === null) return null;
  const parts = splitUnevenly(random, tokens, wallets.length, knobs.sizeJitter);
  const gatherMs = random.within(GATHER_MS);
  yield* together(
    wallets.map(function* (trader, index) {
      yield* pause(world, 3 * SLOT_MS + ((index + random.unit()) * gatherMs) / wallets.length);
      const market = yield* openMarket(context, plan.mint);
      if (market === null) return;
      const [purchase] = purchasesNow(crew, market, [trader], parts[index] ?? 0n);
      if (purchase !== undefined) yield* land(world, purchaseOrder(context, purchase));
    }),
  );
  return { mint: plan.mint, creator, wallets, removeLiquidity: null };
}

/** In the creator's own pool: puppets receive their tokens before it opens. */
export function* allocateInPool(
  crew: Crew,
  wallets: readonly Address[],
  creator: Address,
): Script<ExitPosition | null> {
  const { context, knobs } = crew;
  const { random, world, crowd } = context;
  const isOneSided = knobs.liquidityExit === 'one_sided';
  const staged = planStagedPool(context, creator, isOneSided ? 'meteora_dlmm' : 'raydium_cpmm');
  const lamports = BigInt(random.wholeWithin(POOL_LAMPORTS));
  const rents = BigInt(wallets.length) * TRADE_COST_LAMPORTS;
  const own = { wallet: creator, lamports: lamports + POOL_COST_LAMPORTS + rents };
  const payments = wallets.map((wallet) => ({ wallet, lamports: WALLET_LAMPORTS }));
  const { mint } = staged.token;
  yield* fundCrew(crew, [own, ...payments], mint);
  if ((yield* mintStaged(context, staged)) === null) return null;
  yield* allocate(crew, wallets, staged);
  const supplyShare = POOL_SHARE;
  const slot = isOneSided
    ? yield* offerOneSided(crew, staged)
    : yield* openStaged(context, staged, { supplyShare, lamports });
  if (slot === null) return null;
  crowd.attract({ mint }, { quality: random.between(0.3, 0.8), startMs: world.nowMs });
  const removeLiquidity = removalOrder(crew, staged.pool, creator);
  return { mint, creator, wallets, removeLiquidity };
}

/** Sends the crew's share of the supply from the creator to its wallets. */
function* allocate(crew: Crew, wallets: readonly Address[], staged: PlannedStagedPool): Script {
  const { context, knobs } = crew;
  const { random, world } = context;
  const weights = splitUnevenly(random, STAGED_SUPPLY_RAW, wallets.length, knobs.sizeJitter);
  const shares = wallets.map((wallet, index) => ({
    wallet,
    share: (Number(weights[index] ?? 0n) / Number(STAGED_SUPPLY_RAW)) * knobs.supplyShare,
  }));
  for (const group of evenGroups(shares, RECEIVERS_PER_TRANSACTION)) {
    const order = tokenOrder(context, staged.creator, staged.token.mint, group);
    yield* landWithRetries(world, order);
    yield* pause(world, random.exponential(knobs.hopDelayMs / 4));
  }
}

/** Opens bins with the token alone, from the price up. Returns the slot, or null. */
function* offerOneSided(
  { context }: Crew,
  { pool, creator, token }: PlannedStagedPool,
): Script<number | null> {
  const { world } = context;
  const bins = pool as MeteoraDlmmPool;
  world.addMarket(pool);
  const price = OFFERED_AT_LAMPORTS / Number(STAGED_SUPPLY_RAW);
  const baseRaw = tokensOfShare(POOL_SHARE);
  const outcome = yield* land(world, {
    feePayer: creator,
    computeBudget: { unitLimit: 600_000, priceMicroLamports: 50_000n },
    build(execution) {
      ensureTokenAccount(execution, world.tokenAccounts, creator, creator, token.mint);
      wrapLamports(execution, world.tokenAccounts, creator, 0n);
      bins.initialize(execution, creator, price);
      bins.addLiquidity(execution, creator, baseRaw, 0n);
    },
  });
  return outcome === null || outcome.isFailed ? null : outcome.slot;
}

/** Withdraws the creator's whole position, with its wrapped SOL as lamports. */
function removalOrder({ context }: Crew, pool: LiquidityPool, creator: Address): PlainOrder {
  const { tokenAccounts } = context.world;
  return {
    feePayer: creator,
    computeBudget: { unitLimit: 600_000, priceMicroLamports: 200_000n },
    priority: CREW_PRIORITY,
    build(execution) {
      ensureTokenAccount(execution, tokenAccounts, creator, creator, WRAPPED_SOL);
      const { lpMint } = pool;
      const lpRaw =
        lpMint === null ? FULL_BPS : execution.ledger.heldRaw(tokenAccounts.of(creator, lpMint));
      pool.removeLiquidity(execution, creator, lpRaw);
      unwrapLamports(execution, tokenAccounts, creator);
    },
  };
}
