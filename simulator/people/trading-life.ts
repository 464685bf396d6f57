import type { BehaviourContext, BehaviourKind } from './behaviour.ts';
import { settler } from './behaviour.ts';
import { buyAndHold, type ExitStrategy } from './holding.ts';
import type { TokenInterest } from './token-interest.ts';
import { PLAIN_CLIENT } from './trade-order.ts';
import { drawLamports, lamportsOfSol, type Person } from './wallets.ts';

const CAPITAL = { medianSol: 60, spread: 0.4 } as const;
const SIZE_SOL = { least: 0.3, most: 1.5 } as const;
/** Estimate of quality that it requires, and the standard error of the estimate. */
const WANTED = { least: 0.5, most: 0.65 } as const;
const SIGNAL_ERROR = 0.4;
/** Evaluates a launch for some slots before it buys: never in the block of the creation. */
const LOOKING_MS = { least: 2_500, most: 60_000 } as const;
/** Share of launches for which it is active. */
const AWAKE_SHARE = 0.6;

/**
 * Cuts losses early and lets profits run: most positions end as a small loss, a few return many
 * times the stake. Published leaderboards show winners of 20 to 45 % of their tokens.
 */
const STRATEGY: ExitStrategy = {
  holdMedianMs: 25 * 60_000,
  holdSpread: 0.8,
  takeProfit: [3, 15],
  stopLoss: [0.7, 0.9],
  reactionMs: 2_000,
  slippage: { median: 0.12, spread: 0.4 },
  latencyMs: 700,
  halfShare: 0.5,
};

/** How well a trader picks tokens over its life: 1 knows all that can be known, 0 nothing. */
export type EdgeAt = (timeMs: number) => number;

interface Trader {
  readonly person: Person;
  readonly wanted: number;
  readonly sizeSol: number;
  readonly edgeAt: EdgeAt;
}

/**
 * Settles traders that judge each launch, buy those that seem good to them, and sell alike. They
 * differ in the edge of their judgement: without one it is a draw of the qualities that launches
 * have.
 */
export function settleTraders(
  context: BehaviourContext,
  kind: Pick<BehaviourKind, 'name' | 'label'>,
  count: number,
  drawEdge: () => EdgeAt,
): void {
  const { random, attention, world } = context;
  const traders = Array.from({ length: count }, () => newTrader(context, kind, drawEdge()));
  let otherQuality = 0;
  attention.onToken((interest) => {
    for (const trader of traders) {
      const knows = random.chance(trader.edgeAt(interest.startMs));
      const quality = knows ? interest.quality : otherQuality;
      const signal = quality + SIGNAL_ERROR * random.normal();
      if (signal < trader.wanted || !random.chance(AWAKE_SHARE)) continue;
      const lookingMs = random.wholeWithin(LOOKING_MS);
      world.at(interest.startMs + lookingMs, () => enter(context, trader, interest));
    }
    // A judgement without an edge fits the launch before as well as this one.
    otherQuality = interest.quality;
  });
}

function newTrader(
  context: BehaviourContext,
  kind: Pick<BehaviourKind, 'name' | 'label'>,
  edgeAt: EdgeAt,
): Trader {
  const { random } = context;
  const lamports = drawLamports(random, CAPITAL);
  return {
    person: settler(context, kind, lamports, PLAIN_CLIENT),
    wanted: random.within(WANTED),
    sizeSol: random.within(SIZE_SOL),
    edgeAt,
  };
}

function enter(context: BehaviourContext, trader: Trader, interest: TokenInterest): void {
  const { random } = context;
  const lamports = lamportsOfSol(trader.sizeSol * random.between(0.7, 1.3));
  const { person } = trader;
  const order = { person, interest, lamports, strategy: STRATEGY };
  buyAndHold(context, { ...order, slippage: 0.3, priority: 500_000 });
}
