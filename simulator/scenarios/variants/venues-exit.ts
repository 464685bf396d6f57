import { Crew } from '../crew.ts';
import { fundCrew } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import { Onlookers } from '../onlookers.ts';
import { evenGroups, TRADE_COST_LAMPORTS, tokenOrder } from '../orders.ts';
import { sweep } from '../proceeds.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together, waitUntil } from '../script.ts';
import { landWithRetries } from '../sending.ts';
import { mintStaged, POOL_COST_LAMPORTS, planStagedPool } from '../staged-pool.ts';
import { ExitSales } from './sell-part.ts';
import { openTwoPools } from './two-pools.ts';

const POOL_LAMPORTS = { least: 10_000_000_000, most: 20_000_000_000 } as const;
const RECEIVERS_PER_TRANSACTION = 4;
const WALLET_LAMPORTS = 4n * TRADE_COST_LAMPORTS;
/** Part of the supply that the crew gets; the pools get most of the rest. */
const CREW_SHARE = { least: 0.12, most: 0.2 } as const;
const EXIT_MS = 6_000;
const EXIT_MS_PER_SLOT = 12_000;
const PEOPLE = { count: 30, overMs: 90_000, medianSol: 0.4, nervousShare: 0.3 } as const;
const PURCHASES_MIN = 18;
const AUDIENCE_WAIT = { everyMs: 1_000, atMostMs: 15 * 60_000 } as const;

/**
 * A crew leaves through two pools of its token at the same time, so that neither pool shows the
 * whole of it.
 */
export function* venuesExit(context: ScenarioContext, knobs: AttackKnobs): Script {
  const { random, world } = context;
  const crew = new Crew(context, 'coordinated_exit', knobs);
  const creator = crew.open('attacker');
  const wallets = crew.recruit(Math.max(3, knobs.wallets), 'unknown');
  const staged = planStagedPool(context, creator, 'raydium_cpmm');
  const { mint } = staged.token;
  const lamports = BigInt(random.wholeWithin(POOL_LAMPORTS));
  const rents = BigInt(wallets.length) * TRADE_COST_LAMPORTS;
  const own = { wallet: creator, lamports: 2n * (lamports + POOL_COST_LAMPORTS) + rents };
  const payments = wallets.map((wallet) => ({ wallet, lamports: WALLET_LAMPORTS }));
  yield* fundCrew(crew, [own, ...payments], mint);
  if ((yield* mintStaged(context, staged)) === null) return;
  const share = random.within(CREW_SHARE) / wallets.length;
  const receivers = wallets.map((wallet) => ({ wallet, share }));
  for (const group of evenGroups(receivers, RECEIVERS_PER_TRANSACTION)) {
    yield* landWithRetries(world, tokenOrder(context, creator, mint, group));
  }
  const opened = yield* openTwoPools(context, staged, lamports);
  if (opened === null) return;
  const onlookers = new Onlookers(context, mint);
  onlookers.attract(PEOPLE);
  yield* waitUntil(world, () => onlookers.purchases >= PURCHASES_MIN, AUDIENCE_WAIT);
  yield* pause(world, knobs.buyDelayMs);
  const exitMs = EXIT_MS + knobs.slotSpread * EXIT_MS_PER_SLOT;
  const [one, other] = opened.pools;
  const sales = new ExitSales(crew, mint);
  yield* together(
    wallets.map(function* (wallet) {
      yield* pause(world, random.between(0, exitMs));
      yield* sales.sell(wallet, random.between(0.4, 0.6), one);
      yield* pause(world, random.between(500, 5_000));
      yield* sales.sell(wallet, 1, other);
    }),
  );
  sales.end();
  yield* sweep(crew, [...wallets, creator]);
}
