import type { Address } from '../../../src/model/units.ts';
import { Crew } from '../crew.ts';
import { gatherOnCurve } from '../exit-position.ts';
import { withdraw } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import { Onlookers } from '../onlookers.ts';
import { heldOf, TRADE_COST_LAMPORTS, tokenOrder } from '../orders.ts';
import { sweep } from '../proceeds.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together, waitUntil } from '../script.ts';
import { landWithRetries } from '../sending.ts';
import { ExitSales } from './sell-part.ts';

/** Wallets that the tokens of one wallet are moved through, the seller included. */
const MOVES = { easy: 1, medium: 1, hard: 2 } as const;
const MOVE_MS = { least: 5_000, most: 60_000 } as const;
const EXIT_MS = 20_000;
const EXIT_MS_PER_SLOT = 8_000;
const PEOPLE = { count: 34, overMs: 90_000, medianSol: 0.4, nervousShare: 0.3 } as const;
const PURCHASES_MIN = 18;
const AUDIENCE_WAIT = { everyMs: 1_000, atMostMs: 15 * 60_000 } as const;

/**
 * Each wallet of a crew moves its tokens to a fresh wallet that an exchange paid, and that one sells:
 * no wallet that bought ever sells.
 */
export function* freshSellers(context: ScenarioContext, knobs: AttackKnobs): Script {
  const { random, world } = context;
  const crew = new Crew(context, 'coordinated_exit', knobs);
  const creator = crew.open('attacker');
  const wallets = crew.recruit(Math.max(3, knobs.wallets), 'intermediary');
  const position = yield* gatherOnCurve(crew, wallets, creator);
  if (position === null) return;
  const { mint } = position;
  const onlookers = new Onlookers(context, mint);
  onlookers.attract(PEOPLE);
  yield* waitUntil(world, () => onlookers.purchases >= PURCHASES_MIN, AUDIENCE_WAIT);
  const sellers: Address[] = [];
  yield* together(
    wallets.map(function* (wallet) {
      let holder = wallet;
      for (let left = MOVES[knobs.difficulty]; left > 0; left--) {
        const next = crew.open(left === 1 ? 'unknown' : 'intermediary');
        yield* withdraw(context, next, 5n * TRADE_COST_LAMPORTS);
        yield* pause(world, random.within(MOVE_MS));
        if (heldOf(context, holder, mint) === 0n) return;
        const receivers = [{ wallet: next, share: 1 }];
        yield* landWithRetries(world, tokenOrder(context, holder, mint, receivers));
        holder = next;
      }
      sellers.push(holder);
    }),
  );
  const exitMs = EXIT_MS + knobs.slotSpread * EXIT_MS_PER_SLOT;
  const sales = new ExitSales(crew, mint);
  yield* together(
    sellers.map(function* (seller) {
      yield* pause(world, random.between(0, exitMs));
      yield* sales.sell(seller, random.between(0.85, 1));
    }),
  );
  sales.end();
  yield* sweep(crew, sellers);
}
