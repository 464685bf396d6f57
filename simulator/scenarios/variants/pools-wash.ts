import { attractAudience, payOrdinaryCreator } from '../audience.ts';
import { Crew } from '../crew.ts';
import { fundCrew, withdraw } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import { TRADE_COST_LAMPORTS } from '../orders.ts';
import { sweep } from '../proceeds.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script } from '../script.ts';
import { mintStaged, POOL_COST_LAMPORTS, planStagedPool } from '../staged-pool.ts';
import { anyWallet, passAround } from './pass-around.ts';
import { openTwoPools } from './two-pools.ts';

const POOL_LAMPORTS = 25_000_000_000n;
const POSITION_LAMPORTS = { least: 250_000_000, most: 700_000_000 } as const;
/** Each wallet can pay this often for a pass. */
const PASSES_PAID = 4n;
/** What a controller keeps for fees and wallets between. */
const CONTROLLER_LAMPORTS = 200_000_000n;
const HAND_OVER_MS = { least: 400, most: 7_000 } as const;
const GAP_MS = { least: 1_000, most: 12_000 } as const;
const AMOUNT_JITTER = { easy: 0, medium: 0.002, hard: 0.005 } as const;

/**
 * Wallets of one owner pass a position around in two pools of a token: bought in one and sold in
 * another as it comes, so that neither pool alone shows a purchase for each sale.
 */
export function* poolsWash(context: ScenarioContext, knobs: AttackKnobs): Script {
  const { random, world } = context;
  const crew = new Crew(context, 'wash_volume', knobs);
  const wallets = crew.recruit(Math.max(3, knobs.wallets), 'unknown');
  const lamports = BigInt(random.wholeWithin(POSITION_LAMPORTS));
  const creator = yield* payOrdinaryCreator(context, 2n * (POOL_LAMPORTS + POOL_COST_LAMPORTS));
  const staged = planStagedPool(context, creator, 'raydium_cpmm');
  const { mint } = staged.token;
  const each = lamports * PASSES_PAID + 6n * TRADE_COST_LAMPORTS;
  const payments = wallets.map((wallet) => ({ wallet, lamports: each }));
  const controller = knobs.hubShare < 1 ? crew.open('attacker') : null;
  if (controller !== null) {
    const total = each * BigInt(wallets.length) * 2n + CONTROLLER_LAMPORTS;
    yield* withdraw(context, controller, total);
    crew.noteFunding(world.slot);
  }
  yield* fundCrew(crew, payments, mint, controller);
  if ((yield* mintStaged(context, staged)) === null) return;
  const opened = yield* openTwoPools(context, staged, POOL_LAMPORTS);
  if (opened === null) return;
  const people = { count: 16, overMs: 240_000, medianSol: 0.3, nervousShare: 0.2 };
  attractAudience(context, mint, 0.3, people);
  yield* pause(world, knobs.buyDelayMs);
  yield* passAround(crew, {
    ...{ mint, lamports, passes: Math.ceil(knobs.washTrades / 2) },
    next: anyWallet(crew, wallets),
    // biome-ignore lint/correctness/useYield: a pool that is open needs no wait.
    *market() {
      return random.pick(opened.pools);
    },
    ...{ handOverMs: HAND_OVER_MS, gapMs: GAP_MS },
    amountJitter: AMOUNT_JITTER[knobs.difficulty],
  });
  yield* sweep(crew, wallets, controller ?? undefined);
}
