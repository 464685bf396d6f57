import type { Address } from '../../src/model/units.ts';
import { launchToken } from '../market/launch-token.ts';
import type { Landing, SentOrder } from '../market/order.ts';
import { drawTokenText } from '../market/token-names.ts';
import type { Market } from '../venues/market.ts';
import { planPumpLaunch } from '../venues/pump-launch.ts';
import type { ScenarioContext } from './scenario.ts';
import { type Script, waitUntil } from './script.ts';
import { collectOutcomes, type Outcome, type PlainOrder } from './sending.ts';

/** A launch whose mint and curve are known before it is on chain. */
export type PlannedScenarioLaunch = ReturnType<typeof planPumpLaunch>;

/** A token whose creation is in a block. */
export interface StagedToken {
  readonly mint: Address;
  readonly creator: Address;
  readonly order: SentOrder;
  readonly launchSlot: number;
  readonly launchMs: number;
}

export interface LaunchRequest {
  readonly plan: PlannedScenarioLaunch;
  readonly creatorBuyLamports?: bigint;
  /** In one bundle with the creation. */
  readonly bundledWith?: readonly PlainOrder[];
  /** Sent at the same time and placed after the creation, each group as a separate bundle. */
  readonly behind?: readonly (readonly PlainOrder[])[];
  /** Attractiveness for the crowd; 0 attracts nobody. */
  readonly quality: number;
}

export interface LaunchResult {
  readonly token: StagedToken;
  /** Of `bundledWith`, then of `behind`. */
  readonly outcomes: readonly Outcome[];
}

/** Maximum cost of a creation and its accounts for the creator. */
export const LAUNCH_COST_LAMPORTS = 60_000_000n;

export function planScenarioLaunch(
  { world, random }: ScenarioContext,
  creator: Address,
): PlannedScenarioLaunch {
  const version = random.chance(0.25) ? 'create' : 'create_v2';
  return planPumpLaunch(world, creator, drawTokenText(random), {
    version,
    migration: 'migrate_v2',
  });
}

/** Sends a launch and its accompanying orders, and waits for all. Null if the launch failed. */
export function* launchStaged(
  context: ScenarioContext,
  request: LaunchRequest,
): Script<LaunchResult | null> {
  const { world, crowd } = context;
  const { plan, bundledWith = [], behind = [], creatorBuyLamports = 0n, quality } = request;
  const companions = [...bundledWith, ...behind.flat()];
  const outcomes: Outcome[] = companions.map(() => null);
  let created: Landing | null = null;
  let order: SentOrder = { id: -1 };
  yield (resume) => {
    let left = companions.length === 0 ? 1 : 2;
    const arrive = (): void => {
      left--;
      if (left === 0) resume();
    };
    const { sent } = collectOutcomes(companions, outcomes, arrive);
    const launched = launchToken(world, plan, plan.creator, {
      creatorBuyLamports,
      // Creation and purchase fit into one transaction only with keys from a table.
      version: creatorBuyLamports > 0n ? 0 : 'legacy',
      priority: 1_000_000,
      bundledWith: sent.slice(0, bundledWith.length),
      onLanded(landing) {
        if (!landing.isFailed) created = landing;
        arrive();
      },
      onDropped: arrive,
    });
    order = launched.order;
    let start = bundledWith.length;
    for (const { length } of behind) {
      world.sendBundle(sent.slice(start, start + length), { behind: order });
      start += length;
    }
    if (quality > 0) crowd.attract(launched, { quality, startMs: world.nowMs });
  };
  const landing = created as Landing | null;
  if (landing === null) return null;
  const { mint, creator } = plan;
  const token = { mint, creator, order, launchSlot: landing.slot, launchMs: world.nowMs };
  return { token, outcomes };
}

/** Maximum wait for the pool of a migration. */
const MIGRATION_WAIT = { everyMs: 500, atMostMs: 60_000 } as const;

/** The pool that currently accepts trades; waits while a curve migrates. Null if none opens. */
export function* openMarket(context: ScenarioContext, mint: Address): Script<Market | null> {
  const { world } = context;
  yield* waitUntil(world, () => world.openMarketOf(mint) !== null, MIGRATION_WAIT);
  return world.openMarketOf(mint);
}
