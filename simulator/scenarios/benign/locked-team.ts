import { planStream } from '../../programs/streamflow.ts';
import { attractAudience, payOrdinaryCreator } from '../audience.ts';
import type { BenignGroup } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { heldOf, TRADE_COST_LAMPORTS, tokenOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script } from '../script.ts';
import { land } from '../sending.ts';
import { mintStaged, openStaged, POOL_COST_LAMPORTS, planStagedPool } from '../staged-pool.ts';

const TEAM = { least: 3, more: 3 } as const;
const TEAM_SHARE = { least: 0.15, most: 0.3 } as const;
const LOCK_DAYS = { least: 90, more: 275 } as const;
const DAY_S = 86_400;
const POOL_LAMPORTS = 25_000_000_000n;

/**
 * N10: a large share held by a few wallets of one team, announced publicly and locked for
 * months. A team receives a large share of the supply and locks it before trading begins.
 */
export function* lockedTeam(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const members = random.count(TEAM);
  const supplyShare = random.within(TEAM_SHARE);
  const lockDays = random.count(LOCK_DAYS);
  const money = POOL_LAMPORTS + POOL_COST_LAMPORTS + BigInt(members) * TRADE_COST_LAMPORTS;
  const creator = yield* payOrdinaryCreator(context, money);
  group.add(creator);
  const wallets = group.openSeveral(members, 'organic', 'team member');
  for (const wallet of wallets) yield* withdraw(context, wallet, 4n * TRADE_COST_LAMPORTS);
  const staged = planStagedPool(context, creator, 'raydium_cpmm');
  const { mint } = staged.token;
  const slot = yield* mintStaged(context, staged);
  if (slot === null) return;
  group.begin(mint, slot, { members, supplyShare, lockDays });
  const receivers = wallets.map((wallet) => ({ wallet, share: supplyShare / members }));
  yield* land(world, tokenOrder(context, creator, mint, receivers));
  for (const sender of wallets) {
    const amountRaw = heldOf(context, sender, mint);
    if (amountRaw === 0n) continue;
    const stream = planStream(world.keyring, world.tokenAccounts);
    const unlockTime = Math.floor(world.nowMs / 1_000) + lockDays * DAY_S;
    yield* land(world, {
      feePayer: sender,
      signers: stream.createSigners,
      build: (execution) => stream.create(execution, { sender, mint, amountRaw, unlockTime }),
    });
    yield* pause(world, random.between(1_000, 8_000));
  }
  const pool = { supplyShare: 1 - supplyShare - 0.02, lamports: POOL_LAMPORTS };
  if ((yield* openStaged(context, staged, pool)) === null) return;
  attractAudience(context, mint, 0.5, {
    count: 20,
    overMs: 100_000,
    medianSol: 0.4,
    nervousShare: 0.2,
  });
  yield* pause(world, 120_000);
  group.end();
}
