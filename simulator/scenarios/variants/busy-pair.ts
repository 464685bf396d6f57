import { stageOrdinaryToken } from '../audience.ts';
import type { BenignGroup } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { buyToken, sellToken } from '../market-orders.ts';
import { TRADE_COST_LAMPORTS } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';

const PEOPLE = { least: 90, more: 60 } as const;
/** The sizes that people pick from the buttons of a terminal. */
const PRESET_LAMPORTS = [100_000_000n, 100_000_000n, 250_000_000n, 500_000_000n] as const;
const OVER_MS = 240_000;
const HOLD_MS = { least: 5_000, most: 120_000 } as const;

/**
 * Beside one-use wallets: a busy pair, in which many people with new wallets buy the same few sizes
 * and leave after seconds or minutes.
 */
export function* busyPair(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const staged = yield* stageOrdinaryToken(context, {
    quality: 0.3,
    onlookers: { count: 24, overMs: 90_000, medianSol: 0.4, nervousShare: 0.2 },
    purchases: 12,
  });
  if (staged === null) return;
  const { mint } = staged;
  const people = group.openSeveral(random.count(PEOPLE), 'organic', 'quick trader');
  group.begin(mint, world.slot, { people: people.length });
  yield* together(
    people.map(function* (trader) {
      yield* pause(world, random.between(0, OVER_MS));
      const lamports = random.pick(PRESET_LAMPORTS);
      yield* withdraw(context, trader, lamports + 4n * TRADE_COST_LAMPORTS);
      yield* buyToken(context, mint, { trader, lamports });
      yield* pause(world, random.within(HOLD_MS));
      yield* sellToken(context, mint, { trader, share: 1, closes: true });
    }),
  );
  group.end();
}
