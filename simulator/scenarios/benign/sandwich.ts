import { stageOrdinaryToken } from '../audience.ts';
import { type BenignGroup, drawSol } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { drawTip, purchaseOrder, saleOrder, TRADE_COST_LAMPORTS } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script } from '../script.ts';
import { landBundle } from '../sending.ts';
import { openMarket } from '../staged-token.ts';

const VICTIMS = { least: 3, more: 4 } as const;
const SANDWICHER_LAMPORTS = 12_000_000_000n;
const FRONT_LAMPORTS = 2_500_000_000n;
const GAP_MS = { least: 5_000, most: 25_000 } as const;

/**
 * N8: the victim is in the sandwicher's bundle without any other connection to it. A sandwicher
 * places others’ purchases between its own purchase and sale, in one bundle.
 */
export function* sandwich(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const victims = random.count(VICTIMS);
  const sandwicher = group.open('bot', 'sandwicher');
  yield* withdraw(context, sandwicher, SANDWICHER_LAMPORTS);
  const staged = yield* stageOrdinaryToken(context, {
    quality: 0.4,
    onlookers: { count: 16, overMs: 60_000, medianSol: 0.3, nervousShare: 0.1 },
    purchases: 8,
  });
  if (staged === null) return;
  group.begin(staged.mint, world.slot, { victims });
  for (let left = victims; left > 0; left--) {
    const victim = group.open('organic', 'sandwiched user');
    const lamports = drawSol(context, 3, 6);
    yield* withdraw(context, victim, lamports + 3n * TRADE_COST_LAMPORTS);
    yield* pause(world, random.within(GAP_MS));
    const market = yield* openMarket(context, staged.mint);
    if (market === null) break;
    const own = { trader: sandwicher, market, priority: 300_000 };
    yield* landBundle(world, [
      purchaseOrder(context, { ...own, lamports: FRONT_LAMPORTS }),
      purchaseOrder(context, { trader: victim, market, lamports }),
      saleOrder(context, { ...own, share: 1, tipLamports: drawTip(random) }),
    ]);
  }
  group.end();
}
