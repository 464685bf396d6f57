import { buySteps, sellSteps } from '../../simulator/market/trade-steps.ts';
import type { Market } from '../../simulator/venues/market.ts';
import { PathMarket } from '../../simulator/venues/path-market.ts';
import { boostBuyAndBurn } from '../../simulator/venues/pump-amm-boost.ts';
import { sweepPool } from '../../simulator/venues/pump-amm-sweep.ts';
import { planPumpLaunch } from '../../simulator/venues/pump-launch.ts';
import { PUMP_AMM } from '../../simulator/venues/pump-program.ts';
import { sweepCurve } from '../../simulator/venues/pump-sweep.ts';
import type { TradeStyle } from '../../simulator/venues/trade-style.ts';
import type { Address } from '../../src/model/units.ts';
import { PumpStage, SOL } from './pump-stage.ts';

const TEXT = { name: 'October', symbol: 'OCT', uri: 'https://example.org/o.json' };

/** A stage with one trader whose instructions can have any form. */
export class OctoberStage extends PumpStage {
  readonly creator: Address;
  readonly buyer: Address;

  constructor(seed: string) {
    super(seed);
    this.creator = this.wallet(1_000n * SOL);
    this.buyer = this.wallet(1_000n * SOL);
    const { boostAuthority } = PUMP_AMM;
    this.ledger.set(boostAuthority, { ...this.ledger.get(boostAuthority), lamports: SOL });
  }

  launch(options: Parameters<typeof planPumpLaunch>[3] = {}) {
    const launch = planPumpLaunch(this, this.creator, TEXT, {
      migration: 'migrate_v2',
      ...options,
    });
    this.succeed(this.creator, (execution) => launch.create(execution), launch.createSigners);
    return launch;
  }

  buy(market: Market, amountInRaw: bigint, style: TradeStyle): void {
    this.succeed(this.buyer, (execution) =>
      buySteps(execution, this.tokenAccounts, {
        ...{ market: stylish(market, style), trader: this.buyer, amountInRaw, minOutRaw: 1n },
      }),
    );
  }

  sell(market: Market, amountInRaw: bigint, style: TradeStyle): void {
    this.succeed(this.buyer, (execution) =>
      sellSteps(execution, this.tokenAccounts, {
        ...{ market: stylish(market, style), trader: this.buyer, amountInRaw, minOutRaw: 1n },
      }),
    );
  }

  /** Both buckets of a curve or a pool. */
  sweep(launch: ReturnType<OctoberStage['launch']>, where: 'curve' | 'pool'): void {
    const { tokenAccounts, creator: payer } = this;
    this.succeed(payer, (execution) => {
      for (const bucket of ['protocol', 'creator'] as const) {
        const request = { payer, bucket };
        if (where === 'curve') sweepCurve(execution, launch.curve, tokenAccounts, request);
        else sweepPool(execution, launch.migratedPool, tokenAccounts, request);
      }
    });
  }

  held(owner: Address, mint: Address): bigint {
    return this.ledger.heldRaw(this.tokenAccounts.of(owner, mint));
  }
}

/** The market with every swap in one style. */
function stylish(market: Market, style: TradeStyle): Market {
  const styled: Market = Object.create(market);
  styled.swap = (execution, request) => market.swap(execution, { ...request, style });
  return styled;
}

export const V2: TradeStyle = { form: 'v2', asksForTokens: false };
export const KEPT: TradeStyle = { form: 'kept', asksForTokens: false };
export const KEPT_TOKENS: TradeStyle = { form: 'kept', asksForTokens: true };

/** The life of a coin with the instructions of October 2026, and of one that is quoted in it. */
export function octoberLife(seed: string) {
  const stage = new OctoberStage(seed);
  const coin = stage.launch({ isHolderReward: true });
  const { curve, migratedPool: pool, mint } = coin;
  for (const style of [V2, { ...V2, asksForTokens: true }, KEPT, KEPT_TOKENS]) {
    stage.buy(curve, 2n * SOL, style);
    stage.sell(curve, stage.held(stage.buyer, mint) / 3n, style);
  }
  const far = stage.launch({ quote: { kind: 'coin', curve, pool }, creatorBps: 200n });
  const path = new PathMarket(far.curve, [curve, pool], stage);
  for (const style of [V2, KEPT, KEPT_TOKENS]) {
    stage.buy(path, SOL, style);
    stage.sell(path, stage.held(stage.buyer, far.mint) / 2n, style);
  }
  stage.sweep(coin, 'curve');
  stage.sweep(far, 'curve');
  stage.buy(curve, 120n * SOL, KEPT);
  stage.succeed(stage.creator, (execution) => coin.migrate(execution, stage.creator));
  for (const style of [KEPT, KEPT_TOKENS]) {
    stage.buy(pool, 3n * SOL, style);
    stage.sell(pool, stage.held(stage.buyer, mint) / 50n, style);
  }
  stage.buy(path, 2n * SOL, KEPT);
  stage.sell(path, stage.held(stage.buyer, far.mint) / 2n, KEPT);
  stage.sweep(coin, 'pool');
  stage.succeed(PUMP_AMM.boostAuthority, (execution) =>
    boostBuyAndBurn(execution, pool, { quoteRaw: SOL / 2n, minBaseRaw: 1n }),
  );
  return { stage, coin, far };
}
