import type { Difficulty } from '../../truth/labels.ts';
import { Crew } from '../crew.ts';
import { gatherOnCurve } from '../exit-position.ts';
import type { AttackKnobs } from '../knobs.ts';
import { Onlookers } from '../onlookers.ts';
import { sweep } from '../proceeds.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together, waitUntil } from '../script.ts';
import { ExitSales } from './sell-part.ts';

const MINUTE_MS = 60_000;
/** Duration of the whole exit, and how many sales each wallet spreads its holding over. */
const DRIP: Readonly<Record<Difficulty, { least: number; most: number; parts: number }>> = {
  easy: { least: 12 * MINUTE_MS, most: 18 * MINUTE_MS, parts: 3 },
  medium: { least: 20 * MINUTE_MS, most: 35 * MINUTE_MS, parts: 5 },
  hard: { least: 45 * MINUTE_MS, most: 60 * MINUTE_MS, parts: 8 },
};
const BUYERS = { least: 22, more: 10 } as const;
const PURCHASES_MIN = 14;
const AUDIENCE_WAIT = { everyMs: 1_000, atMostMs: 15 * MINUTE_MS } as const;

/**
 * A crew leaves in many small sales over up to an hour, while others keep buying, so that no window
 * of ten minutes holds the exit.
 */
export function* dripExit(context: ScenarioContext, knobs: AttackKnobs): Script {
  const { random, world } = context;
  const crew = new Crew(context, 'coordinated_exit', knobs);
  const creator = crew.open('attacker');
  const wallets = crew.recruit(Math.max(3, knobs.wallets), 'unknown');
  const position = yield* gatherOnCurve(crew, wallets, creator);
  if (position === null) return;
  const drip = DRIP[knobs.difficulty];
  const overMs = random.within(drip);
  const onlookers = new Onlookers(context, position.mint);
  const people = { medianSol: 0.4, nervousShare: 0.2, impatientShare: 0.3 };
  onlookers.attract({ ...people, count: random.count(BUYERS), overMs: 90_000 });
  yield* waitUntil(world, () => onlookers.purchases >= PURCHASES_MIN, AUDIENCE_WAIT);
  onlookers.attract({ ...people, count: random.count(BUYERS), overMs });
  const sales = new ExitSales(crew, position.mint);
  yield* together(
    wallets.map(function* (wallet) {
      for (let left = drip.parts; left > 0; left--) {
        yield* pause(world, random.between(0.5, 1) * (overMs / drip.parts));
        yield* sales.sell(wallet, 1 / left);
      }
    }),
  );
  sales.end();
  yield* sweep(crew, [...wallets, creator]);
}
