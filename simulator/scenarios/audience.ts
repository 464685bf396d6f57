import type { Address } from '../../src/model/units.ts';
import { withdraw } from './funding.ts';
import { type OnlookerPlan, Onlookers } from './onlookers.ts';
import type { ScenarioContext } from './scenario.ts';
import { type Script, waitUntil } from './script.ts';
import {
  mintStaged,
  type PlannedStagedPool,
  POOL_COST_LAMPORTS,
  planStagedPool,
} from './staged-pool.ts';
import {
  LAUNCH_COST_LAMPORTS,
  launchStaged,
  type PlannedScenarioLaunch,
  planScenarioLaunch,
  type StagedToken,
} from './staged-token.ts';

export interface AudienceRequest {
  readonly plan: PlannedScenarioLaunch;
  readonly quality: number;
  readonly onlookers: OnlookerPlan;
  /** Number of onlookers' purchases to wait for. */
  readonly purchases: number;
  readonly creatorBuyLamports?: bigint;
}

/** Minimum time between the launch and the trades of a late pattern (METHODS §7.4). */
const ORGANIC_MS = 32_000;
const AUDIENCE_WAIT = { everyMs: 1_000, atMostMs: 15 * 60_000 } as const;

/** A launch by a funded creator, with buyers. Null if the launch fails or attracts too few. */
export function* stageAudience(
  context: ScenarioContext,
  { plan, quality, onlookers: people, purchases, creatorBuyLamports = 0n }: AudienceRequest,
): Script<{ readonly token: StagedToken; readonly onlookers: Onlookers } | null> {
  const { world } = context;
  const launched = yield* launchStaged(context, { plan, quality, creatorBuyLamports });
  if (launched === null) return null;
  const { token } = launched;
  const onlookers = new Onlookers(context, token.mint);
  onlookers.attract(people);
  const isReady = (): boolean =>
    onlookers.purchases >= purchases && world.nowMs >= token.launchMs + ORGANIC_MS;
  return (yield* waitUntil(world, isReady, AUDIENCE_WAIT)) ? { token, onlookers } : null;
}

/** A launch by an ordinary creator, with buyers. Null if it fails or attracts too few. */
export function* stageOrdinaryToken(
  context: ScenarioContext,
  audience: Omit<AudienceRequest, 'plan' | 'creatorBuyLamports'>,
): Script<{ readonly mint: Address; readonly onlookers: Onlookers } | null> {
  const plan = planScenarioLaunch(context, yield* payOrdinaryCreator(context));
  const staged = yield* stageAudience(context, { plan, ...audience });
  return staged === null ? null : { mint: plan.mint, onlookers: staged.onlookers };
}

/** Mints a token of an ordinary creator who will open a pool with these lamports. Null if it fails. */
export function* mintPoolToken(
  context: ScenarioContext,
  poolLamports: bigint,
): Script<PlannedStagedPool | null> {
  const creator = yield* payOrdinaryCreator(context, poolLamports + POOL_COST_LAMPORTS);
  const staged = planStagedPool(context, creator, 'raydium_cpmm');
  return (yield* mintStaged(context, staged)) === null ? null : staged;
}

/** Attracts the crowd and onlookers to a token that is already traded. */
export function attractAudience(
  context: ScenarioContext,
  mint: Address,
  quality: number,
  people: OnlookerPlan,
): void {
  const { crowd, world } = context;
  crowd.attract({ mint }, { quality, startMs: world.nowMs });
  new Onlookers(context, mint).attract(people);
}

/** An ordinary creator, funded by an exchange. */
export function* payOrdinaryCreator(context: ScenarioContext, extraLamports = 0n): Script<Address> {
  const creator = context.world.keyring.wallet();
  const label = { automation: 'organic', isSmart: false, behaviour: 'creator' } as const;
  context.world.truth.labels.addWallet(creator, label);
  yield* withdraw(context, creator, LAUNCH_COST_LAMPORTS + extraLamports);
  return creator;
}
