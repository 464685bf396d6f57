import { withdraw } from './funding.ts';
import { type OnlookerPlan, Onlookers } from './onlookers.ts';
import type { ScenarioContext } from './scenario.ts';
import { type Script, waitUntil } from './script.ts';
import {
  LAUNCH_COST_LAMPORTS,
  launchStaged,
  type PlannedScenarioLaunch,
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

/** An ordinary creator, funded by an exchange. */
export function* payOrdinaryCreator(
  context: ScenarioContext,
  behaviour: string,
  extraLamports = 0n,
): Script<PlannedCreator> {
  const creator = context.world.keyring.wallet();
  const label = { automation: 'organic', isSmart: false, behaviour } as const;
  context.world.truth.labels.addWallet(creator, label);
  yield* withdraw(context, creator, LAUNCH_COST_LAMPORTS + extraLamports);
  return creator;
}

type PlannedCreator = StagedToken['creator'];
