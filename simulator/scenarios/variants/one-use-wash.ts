import type { Address } from '../../../src/model/units.ts';
import { EXCHANGE_WALLETS } from '../../market/common-accounts.ts';
import { payOrdinaryCreator, stageAudience } from '../audience.ts';
import { Crew } from '../crew.ts';
import { withdraw } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import { partOf, TRADE_COST_LAMPORTS } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { openMarket, planScenarioLaunch } from '../staged-token.ts';
import { eachOnce, passAround } from './pass-around.ts';

const POSITION_LAMPORTS = { least: 400_000_000, most: 900_000_000 } as const;
const WITHDRAWAL_MS = { easy: 60_000, medium: 180_000, hard: 420_000 } as const;
/** By how much payments exceed the position at most. */
const PAID_JITTER = { easy: 0.01, medium: 0.25, hard: 0.8 } as const;
const AMOUNT_JITTER = { easy: 0, medium: 0.003, hard: 0.008 } as const;
const HAND_OVER_MS = {
  easy: { least: 300, most: 3_000 },
  medium: { least: 500, most: 6_000 },
  hard: { least: 1_000, most: 12_000 },
} as const;
const GAP_MS = { least: 1_000, most: 8_000 } as const;

/**
 * A position is passed along a chain of wallets, each paid by an exchange and used for one purchase
 * and one sale: no two of them share a payer, and none trades twice.
 */
export function* oneUseWash(context: ScenarioContext, knobs: AttackKnobs): Script {
  const { random, world } = context;
  const { difficulty } = knobs;
  const crew = new Crew(context, 'wash_volume', { ...knobs, agedShare: 0 });
  const passes = Math.ceil(knobs.washTrades / 2);
  const wallets = crew.recruit(passes + 1, 'unknown');
  const lamports = BigInt(random.wholeWithin(POSITION_LAMPORTS));
  const plan = planScenarioLaunch(context, yield* payOrdinaryCreator(context));
  const [hotWallet] = difficulty === 'easy' ? EXCHANGE_WALLETS : [];
  yield* payAll(crew, wallets, lamports, hotWallet);
  const staged = yield* stageAudience(context, {
    plan,
    quality: random.between(0.05, 0.3),
    onlookers: { count: 12 + random.below(8), overMs: 120_000, medianSol: 0.2, nervousShare: 0.2 },
    purchases: 7,
  });
  if (staged === null) return;
  const { mint } = plan;
  yield* passAround(crew, {
    ...{ mint, lamports, passes, next: eachOnce(crew, wallets) },
    market: () => openMarket(context, mint),
    ...{ handOverMs: HAND_OVER_MS[difficulty], gapMs: GAP_MS },
    amountJitter: AMOUNT_JITTER[difficulty],
  });
  yield* pause(world, 1_000);
}

/** Exchanges pay every wallet once, at times of its own: one of them when nothing is hidden. */
function* payAll(
  crew: Crew,
  wallets: readonly Address[],
  lamports: bigint,
  hotWallet: Address | undefined,
): Script {
  const { context, knobs } = crew;
  const { random, world } = context;
  const least = partOf(lamports, 1.5) + 2n * TRADE_COST_LAMPORTS;
  const amounts = wallets.map(() =>
    partOf(least, 1 + random.between(0, PAID_JITTER[knobs.difficulty])),
  );
  yield* together(
    wallets.map(function* (wallet, index) {
      yield* pause(world, random.between(0, WITHDRAWAL_MS[knobs.difficulty]));
      yield* withdraw(context, wallet, amounts[index] ?? least, hotWallet);
      crew.noteFunding(world.slot);
    }),
  );
}
