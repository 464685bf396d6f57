import { stageOrdinaryToken } from '../audience.ts';
import type { BenignGroup } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { buyToken, sellToken } from '../market-orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';

const SCALPERS = { least: 2, more: 2 } as const;
const ROUNDS = { least: 11, more: 8 } as const;
/** Amounts that people type. */
const SIZES_LAMPORTS = [300_000_000n, 500_000_000n, 600_000_000n, 800_000_000n] as const;
/** Medians of how long they hold, and of the time between two rounds. */
const HOLD_MS = 25_000;
const WAIT_MS = 18_000;
const TIME_SIGMA = 0.7;
const MONEY_LAMPORTS = 4_000_000_000n;

/**
 * Beside a wallet that washes alone: people who buy and sell the whole of a position more than ten
 * times within minutes each, hoping for a move of the price.
 */
export function* handScalpers(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const scalpers = group.openSeveral(random.count(SCALPERS), 'organic', 'scalper');
  for (const trader of scalpers) yield* withdraw(context, trader, MONEY_LAMPORTS);
  const staged = yield* stageOrdinaryToken(context, {
    quality: 0.4,
    onlookers: {
      count: 60,
      overMs: 600_000,
      medianSol: 0.6,
      nervousShare: 0.5,
      impatientShare: 0.6,
    },
    purchases: 8,
  });
  if (staged === null) return;
  const { mint } = staged;
  group.begin(mint, world.slot, { scalpers: scalpers.length });
  yield* together(
    scalpers.map(function* (trader) {
      const lamports = random.pick(SIZES_LAMPORTS);
      for (let left = random.count(ROUNDS); left > 0; left--) {
        yield* pause(world, random.logNormal(WAIT_MS, TIME_SIGMA));
        yield* buyToken(context, mint, { trader, lamports });
        yield* pause(world, random.logNormal(HOLD_MS, TIME_SIGMA));
        yield* sellToken(context, mint, { trader, share: 1 });
      }
    }),
  );
  group.end();
}
