import type { Address } from '../../src/model/units.ts';
import type { Random } from '../random/random.ts';
import { underlying } from '../venues/path-market.ts';
import { boostBuyAndBurn } from '../venues/pump-amm-boost.ts';
import { PumpAmmPool } from '../venues/pump-amm-pool.ts';
import { poolState } from '../venues/pump-amm-state.ts';
import { sweepPool } from '../venues/pump-amm-sweep.ts';
import { PumpCurve } from '../venues/pump-curve.ts';
import type { FeeBucket } from '../venues/pump-events.ts';
import { PUMP_AMM } from '../venues/pump-program.ts';
import { sweepCurve } from '../venues/pump-sweep.ts';
import type { World } from './world.ts';

export interface PumpCrankOptions {
  readonly random: Random;
  /** Pays for sweeps without any benefit. */
  readonly wallet: Address;
  /** Mean times between two of each. */
  readonly feeSweepEveryMs: number;
  readonly boostEveryMs: number;
}

/** Number of newest launches that are considered. */
const RECENT_LAUNCHES = 200;
/** Pools and curves per sweep transaction. */
const SWEPT_MAX = 3;
/** Share of sweeps without fees to sweep: scheduled programs do not check first. */
const BLIND_SHARE = 0.1;
const BUCKETS: readonly FeeBucket[] = ['protocol', 'creator'];
/** Share of the remaining buyback funds spent in each purchase. */
const BOOST_SHARE = { least: 0.01, most: 0.06 } as const;
const SWEEP_UNITS = { unitLimit: 400_000, priceMicroLamports: 10_000n } as const;
const BOOST_UNITS = { unitLimit: 200_000, priceMicroLamports: 10_000n } as const;

/** Sweeps the fees kept in pump's curves and pools, and performs the protocol's buybacks. */
export class PumpCranks {
  private readonly world: World;
  private readonly options: PumpCrankOptions;

  constructor(world: World, options: PumpCrankOptions) {
    this.world = world;
    this.options = options;
  }

  /** Schedules the first sweep and the first purchase; each schedules the next. */
  start(): void {
    const { feeSweepEveryMs, boostEveryMs } = this.options;
    this.plan(feeSweepEveryMs, () => this.sweep());
    this.plan(boostEveryMs, () => this.boost());
  }

  private plan(everyMs: number, act: () => void): void {
    this.world.after(Math.round(this.options.random.exponential(everyMs)), () => {
      act();
      this.plan(everyMs, act);
    });
  }

  private sweep(): void {
    const { world } = this;
    const { random, wallet } = this.options;
    const isBlind = random.chance(BLIND_SHARE);
    const found = this.venues().filter((venue) => isBlind || this.waits(venue));
    if (found.length === 0) return;
    const swept = random.shuffle(found).slice(0, 1 + random.below(SWEPT_MAX));
    const { tokenAccounts } = world;
    world.send({
      feePayer: wallet,
      version: 0,
      computeBudget: SWEEP_UNITS,
      build(execution) {
        for (const venue of swept) {
          for (const bucket of BUCKETS) {
            const request = { payer: wallet, bucket };
            if (venue instanceof PumpCurve) sweepCurve(execution, venue, tokenAccounts, request);
            else sweepPool(execution, venue, tokenAccounts, request);
          }
        }
      },
    });
  }

  private boost(): void {
    const { world } = this;
    const { random } = this.options;
    const { ledger } = world.chain;
    const boosted = this.venues().filter(
      (venue) => venue instanceof PumpAmmPool && ledger.heldRaw(venue.addresses.boostVault) > 0n,
    );
    if (boosted.length === 0) return;
    const pool = random.pick(boosted) as PumpAmmPool;
    const share = Math.round(random.within(BOOST_SHARE) * 10_000);
    const heldRaw = ledger.heldRaw(pool.addresses.boostVault);
    const quoteRaw = (heldRaw * BigInt(share)) / 10_000n;
    const expectedRaw = pool.quote(ledger, 'buy', quoteRaw);
    const minBaseRaw = (expectedRaw * 9n) / 10n;
    world.send({
      feePayer: PUMP_AMM.boostAuthority,
      computeBudget: BOOST_UNITS,
      build: (execution) => boostBuyAndBurn(execution, pool, { quoteRaw, minBaseRaw }),
    });
  }

  /** Curves and pools of the newest launches that exist on chain. */
  private venues(): (PumpCurve | PumpAmmPool)[] {
    const { world } = this;
    const { ledger } = world.chain;
    const launches = world.truth.launches.slice(-RECENT_LAUNCHES);
    return launches
      .flatMap(({ mint }) => world.marketsOf(mint).map(underlying))
      .filter((market) => market instanceof PumpCurve || market instanceof PumpAmmPool)
      .filter((venue) => ledger.get(venue.pool).state !== null);
  }

  private waits(venue: PumpCurve | PumpAmmPool): boolean {
    const { ledger } = this.world.chain;
    const state = venue instanceof PumpCurve ? venue.state(ledger) : poolState(ledger, venue.pool);
    return state !== null && state.protocolFeesRaw + state.creatorFeesRaw > 0n;
  }
}
