import type { Address } from '../../src/model/units.ts';
import { drawTokenText } from '../market/token-names.ts';
import type { World } from '../market/world.ts';
import { lamportsOfSol } from '../people/wallets.ts';
import { ensureTokenAccount, wrapLamports } from '../programs/associated-token.ts';
import type { Random } from '../random/random.ts';
import { pause, type Script, startScript } from '../scenarios/script.ts';
import { land, type PlainOrder } from '../scenarios/sending.ts';
import { type PlannedToken, planToken } from '../venues/planned-token.ts';
import { drawQuality, openCreator } from './creator.ts';
import type { LaunchStreamOptions } from './launch-stream.ts';
import { drawPoolStyle, planStyledPool, type StyledPool } from './pool-style.ts';

const HOUR_MS = 3_600_000;
const SUPPLY_RAW = 1_000_000_000_000_000n;
const DECIMALS = 6;
/** Lamports in the pool, and in addition the costs of accounts and fees. */
const POOL_SOL = { median: 12, spread: 0.5, least: 4 } as const;
const COSTS_SOL = 1;
/** Per cent of the supply in the pool: the rest stays with the creator. */
const POOLED = { least: 60, most: 100 } as const;
/** Mean time before a creator burns or locks the liquidity. */
const SEAL_AFTER_MS = 40_000;
const UNITS = { unitLimit: 500_000, priceMicroLamports: 50_000n } as const;

/** A token that starts in a pool of its own. */
interface PoolLaunch {
  readonly creator: Address;
  readonly token: PlannedToken;
  readonly pool: StyledPool;
  readonly pooledRaw: bigint;
  readonly lamports: bigint;
}

/**
 * Launches without a launchpad: a creator mints a token, opens a pool for it, and burns, locks or
 * keeps the LP tokens.
 */
export class PoolLaunchStream {
  private readonly options: LaunchStreamOptions;

  constructor(options: LaunchStreamOptions) {
    this.options = options;
  }

  /** Schedules the first launch; each launch schedules the next. */
  start(): void {
    if (this.options.perHour > 0) this.planNext(1);
  }

  private planNext(run: number): void {
    const { world, random, perHour } = this.options;
    world.after(random.exponential(HOUR_MS / perHour), () => {
      this.launch(random.fork(`run/${run}`));
      this.planNext(run + 1);
    });
  }

  private launch(random: Random): void {
    const { world, exchanges } = this.options;
    const creator = openCreator(world);
    const sol = POOL_SOL.least + random.logNormal(POOL_SOL.median, POOL_SOL.spread);
    const launch = planPoolLaunch(world, random, creator, lamportsOfSol(sol));
    exchanges.withdraw(creator, lamportsOfSol(sol + COSTS_SOL), () =>
      startScript(this.open(random, launch)),
    );
  }

  private *open(random: Random, { creator, token, pool, ...amounts }: PoolLaunch): Script {
    const { world, crowd, qualityPower } = this.options;
    const { planned, seal } = pool;
    const minted = yield* land(world, orderOf(creator, token.createSigners, token.create));
    if (minted?.isFailed !== false) return;
    world.addMarket(planned.pool);
    const opened = yield* land(
      world,
      orderOf(creator, planned.createSigners, (execution) => {
        wrapLamports(execution, world.tokenAccounts, creator, amounts.lamports);
        ensureTokenAccount(execution, world.tokenAccounts, creator, creator, token.mint);
        planned.create(execution, creator, amounts.pooledRaw, amounts.lamports);
      }),
    );
    if (opened?.isFailed !== false) return;
    const quality = drawQuality(random, qualityPower);
    const interest = crowd.attract({ mint: token.mint }, { quality, startMs: world.nowMs });
    if (amounts.pooledRaw < SUPPLY_RAW) crowd.keepAsCreator(creator, interest);
    if (seal === null) return;
    yield* pause(world, random.exponential(SEAL_AFTER_MS));
    yield* land(
      world,
      orderOf(creator, seal.signers, (execution) => seal.build(execution, creator)),
    );
  }
}

function planPoolLaunch(
  world: World,
  random: Random,
  creator: Address,
  lamports: bigint,
): PoolLaunch {
  const text = drawTokenText(random);
  const pooled = random.wholeWithin(POOLED);
  const style = drawPoolStyle(random);
  const token = planToken(world, {
    creator,
    text,
    decimals: DECIMALS,
    supplyRaw: SUPPLY_RAW,
    transferFee: style.transferFee,
  });
  world.readToken(token.mint, text);
  return {
    creator,
    token,
    pool: planStyledPool(world, token.mint, style),
    pooledRaw: (SUPPLY_RAW * BigInt(pooled)) / 100n,
    lamports,
  };
}

function orderOf(
  creator: Address,
  signers: readonly Address[],
  build: PlainOrder['build'],
): PlainOrder {
  return { feePayer: creator, signers, computeBudget: UNITS, build };
}
