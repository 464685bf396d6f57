import { shapeOf } from '../attention-shape.ts';
import { type BehaviourContext, type BehaviourKind, settler } from '../behaviour.ts';
import { buyAndHold, type ExitStrategy } from '../holding.ts';
import type { TokenInterest } from '../token-interest.ts';
import { PLAIN_CLIENT } from '../trade-order.ts';
import { drawLamports, lamportsOfSol, type Person } from '../wallets.ts';

const CAPITAL = { medianSol: 60, spread: 0.4 } as const;
const SIZE_SOL = { least: 0.3, most: 1.5 } as const;
/** Standard error of its estimate of a token's quality, and the quality it requires. */
const SIGNAL_ERROR = 0.2;
const WANTED = { least: 0.45, most: 0.6 } as const;
/** Evaluates a launch for some slots before it buys: never in the block of the creation. */
const LOOKING_MS = { least: 2_500, most: 45_000 } as const;
/** Share of launches for which it is active. */
const AWAKE_SHARE = 0.6;
/** Sells after this share of the time in which it expects the crowd. */
const LEAVING_SHARE = { least: 0.7, most: 2 } as const;

const label = { automation: 'organic', isSmart: true } as const;

interface SmartTrader {
  readonly person: Person;
  readonly wanted: number;
  readonly sizeSol: number;
}

/** People who recognise a good token before the crowd does, and sell before interest ends. */
export const smartTrader: BehaviourKind = { name: 'smartTrader', label, settle };

function settle(context: BehaviourContext, count: number): void {
  const { random, attention, world } = context;
  const people = Array.from({ length: count }, () => newSmartTrader(context));
  attention.onToken((interest) => {
    for (const one of people) {
      const signal = interest.quality + SIGNAL_ERROR * random.normal();
      if (signal < one.wanted || !random.chance(AWAKE_SHARE)) continue;
      const lookingMs = random.wholeWithin(LOOKING_MS);
      world.at(interest.startMs + lookingMs, () => enter(context, one, interest, signal));
    }
  });
}

function newSmartTrader(context: BehaviourContext): SmartTrader {
  const { random } = context;
  const lamports = drawLamports(random, CAPITAL);
  return {
    person: settler(context, smartTrader, lamports, PLAIN_CLIENT),
    wanted: random.within(WANTED),
    sizeSol: random.within(SIZE_SOL),
  };
}

function enter(
  context: BehaviourContext,
  { person, sizeSol }: SmartTrader,
  interest: TokenInterest,
  signal: number,
): void {
  const { random } = context;
  const strategy = strategyFor(context, Math.min(1, signal));
  const lamports = lamportsOfSol(sizeSol * random.between(0.7, 1.3));
  buyAndHold(context, { person, interest, lamports, strategy, slippage: 0.3, priority: 500_000 });
}

function strategyFor({ random }: BehaviourContext, signal: number): ExitStrategy {
  const { burst } = shapeOf(signal);
  return {
    holdMedianMs: burst.fadeMs * random.within(LEAVING_SHARE),
    holdSpread: 0.4,
    takeProfit: [4, 10],
    stopLoss: [0.45, 0.6],
    reactionMs: 2_000,
    slippage: { median: 0.12, spread: 0.4 },
    latencyMs: 700,
    halfShare: 0.7,
  };
}
