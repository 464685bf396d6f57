import { stageOrdinaryToken } from '../audience.ts';
import type { BenignGroup } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { sellToken } from '../market-orders.ts';
import { heldOf, TRADE_COST_LAMPORTS, tokenOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { landWithRetries } from '../sending.ts';

const MOVERS = { least: 8, more: 6 } as const;
const MOVE_MS = { least: 5_000, most: 90_000 } as const;
/** Some have a third wallet, and move their tokens on at once. */
const MOVED_ON_CHANCE = 0.15;
const SALE_MS = { least: 10_000, most: 240_000 } as const;

/**
 * Beside fresh sellers: unrelated holders each move their tokens to another wallet of their own, a
 * few on to a third one, and many sell from there.
 */
export function* walletMovers(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const staged = yield* stageOrdinaryToken(context, {
    quality: 0.3,
    onlookers: { count: 36, overMs: 90_000, medianSol: 0.4, nervousShare: 0.1, impatientShare: 0 },
    purchases: 28,
  });
  if (staged === null) return;
  const { mint, onlookers } = staged;
  const movers = random.shuffle(onlookers.wallets).slice(0, random.count(MOVERS));
  for (const wallet of movers) group.add(wallet);
  group.begin(mint, world.slot, { movers: movers.length });
  yield* together(
    movers.map(function* (wallet) {
      let trader = wallet;
      const moves = random.chance(MOVED_ON_CHANCE) ? 2 : 1;
      for (let left = moves; left > 0; left--) {
        const holder = trader;
        trader = group.open('organic', 'wallet of a holder');
        yield* withdraw(context, trader, 5n * TRADE_COST_LAMPORTS);
        yield* pause(world, random.within(MOVE_MS));
        if (heldOf(context, holder, mint) === 0n) return;
        const receivers = [{ wallet: trader, share: 1 }];
        yield* landWithRetries(world, tokenOrder(context, holder, mint, receivers));
      }
      yield* pause(world, random.within(SALE_MS));
      if (random.chance(0.7))
        yield* sellToken(context, mint, { trader, share: random.between(0.4, 1) });
    }),
  );
  group.end();
}
