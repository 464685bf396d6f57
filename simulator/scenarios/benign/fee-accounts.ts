import type { Address } from '../../../src/model/units.ts';
import { buySteps } from '../../market/trade-steps.ts';
import { transferLamports } from '../../programs/system.ts';
import { payOrdinaryCreator } from '../audience.ts';
import { type BenignGroup, drawAmounts, drawSol, payStrangers } from '../benign-group.ts';
import { sellToken } from '../market-orders.ts';
import { purchaseOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land } from '../sending.ts';
import { launchStaged, openMarket, planScenarioLaunch } from '../staged-token.ts';

const USERS = { least: 22, more: 10 } as const;
const FEE_PERCENT = 2n;
const BUY_BACK_EVERY_MS = 20_000;
const BUY_BACKS = 6;
/** Lamports the buy-back keeps for fees. */
const KEPT_LAMPORTS = 15_000_000n;

/**
 * N12: one account occurs in many unrelated transactions, because it collects a fee there. A
 * project takes a fee of every purchase and uses it, with creator fees, for buybacks.
 */
export function* feeAccounts(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const count = random.count(USERS);
  const treasury = group.open('bot', 'buy-back account');
  const users = group.openSeveral(count, 'organic', 'project user');
  const sizeOf = drawAmounts(users, () => drawSol(context, 0.1, 1));
  yield* payStrangers(context, users, sizeOf, 120_000);
  const plan = planScenarioLaunch(context, yield* payOrdinaryCreator(context));
  const launched = yield* launchStaged(context, { plan, quality: 0.3 });
  if (launched === null) return;
  group.begin(plan.mint, launched.token.launchSlot, { count });
  yield* together([
    buyBack(context, treasury, plan.mint),
    ...users.map(function* (user) {
      yield* pause(world, random.between(0, 100_000));
      yield* buyWithFee(context, user, sizeOf(user), plan.mint, treasury);
      if (!random.chance(0.3)) return;
      yield* pause(world, random.between(10_000, 60_000));
      yield* sellToken(context, plan.mint, { trader: user, share: 0.5 });
    }),
  ]);
  group.end();
}

function* buyWithFee(
  context: ScenarioContext,
  trader: Address,
  lamports: bigint,
  mint: Address,
  treasury: Address,
): Script {
  const { tokenAccounts } = context.world;
  const market = yield* openMarket(context, mint);
  if (market === null) return;
  const fee = (lamports * FEE_PERCENT) / 100n;
  yield* land(context.world, {
    feePayer: trader,
    computeBudget: { unitLimit: 200_000, priceMicroLamports: 30_000n },
    build(execution) {
      transferLamports(execution, trader, treasury, fee);
      const steps = { market, trader, amountInRaw: lamports - fee, minOutRaw: 1n };
      buySteps(execution, tokenAccounts, steps);
    },
  });
}

function* buyBack(context: ScenarioContext, treasury: Address, mint: Address): Script {
  const { world } = context;
  for (let left = BUY_BACKS; left > 0; left--) {
    yield* pause(world, BUY_BACK_EVERY_MS);
    const lamports = world.chain.ledger.get(treasury).lamports - KEPT_LAMPORTS;
    const market = yield* openMarket(context, mint);
    if (market === null || lamports <= 0n) continue;
    yield* land(world, purchaseOrder(context, { trader: treasury, market, lamports }));
  }
}
