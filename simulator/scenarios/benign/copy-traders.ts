import type { Address } from '../../../src/model/units.ts';
import { stageOrdinaryToken } from '../audience.ts';
import { type BenignGroup, drawSol, payStrangers } from '../benign-group.ts';
import { SLOT_MS } from '../crew-purchases.ts';
import { buyToken, sellToken } from '../market-orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';

const COUNT = { least: 6, more: 6 } as const;
/** Number of tokens on which they follow, enough to make the pattern detectable. */
const TOKENS = 3;
const LAG_SLOTS_MAX = 5;
const PRIORITY = 100_000;
const HOLD_MS = { least: 15_000, most: 60_000 } as const;
const COPIED_SOL = { least: 0.1, most: 0.4 } as const;

/**
 * N5: the same purchases a little later, by wallets that only follow the leader. Copy traders
 * buy and sell one to five slots after a leader, on several tokens.
 */
export function* copyTraders(context: ScenarioContext, group: BenignGroup): Script {
  const count = context.random.count(COUNT);
  const leader = group.open('organic', 'leader');
  const copiers = group.openSeveral(count, 'bot', 'copy trader');
  const money = drawSol(context, 2.5, 4);
  yield* payStrangers(context, [leader, ...copiers], () => money, 120_000);
  for (let left = TOKENS; left > 0; left--) {
    const staged = yield* stageOrdinaryToken(context, {
      quality: 0.5,
      onlookers: { count: 12, overMs: 45_000, medianSol: 0.25, nervousShare: 0.2 },
      purchases: 6,
    });
    if (staged === null) continue;
    if (left === 1) group.begin(staged.mint, context.world.slot, { count, tokens: TOKENS });
    yield* tradeAlong(context, staged.mint, leader, copiers);
  }
  group.end();
}

function* tradeAlong(
  context: ScenarioContext,
  mint: Address,
  leader: Address,
  copiers: readonly Address[],
): Script {
  const { world, random } = context;
  yield* buy(context, mint, leader, drawSol(context, 0.5, 0.9));
  const lag = (): number => (1 + random.below(LAG_SLOTS_MAX) - random.unit()) * SLOT_MS;
  yield* together(
    copiers.map(function* (copier) {
      yield* pause(world, lag());
      yield* buy(context, mint, copier, drawSol(context, COPIED_SOL.least, COPIED_SOL.most));
    }),
  );
  yield* pause(world, random.within(HOLD_MS));
  yield* sell(context, mint, leader);
  yield* together(
    copiers.map(function* (copier) {
      yield* pause(world, lag());
      yield* sell(context, mint, copier);
    }),
  );
}

function buy(context: ScenarioContext, mint: Address, trader: Address, lamports: bigint): Script {
  return buyToken(context, mint, { trader, lamports, priority: PRIORITY });
}

function sell(context: ScenarioContext, mint: Address, trader: Address): Script {
  return sellToken(context, mint, { trader, share: 1, closes: true, priority: PRIORITY });
}
