import { type BehaviourContext, type BehaviourKind, settler } from '../behaviour.ts';
import { buyAndHold, type ExitStrategy } from '../holding.ts';
import { PRESET_SOL } from '../order-size.ts';
import type { TokenInterest } from '../token-interest.ts';
import { PLAIN_CLIENT } from '../trade-order.ts';
import { drawLamports, lamportsOfSol, ORGANIC, type Person } from '../wallets.ts';

const CAPITAL = { medianSol: 20, spread: 0.5 } as const;
const DAY_MS = 86_400_000;
/** Length of the daily session, which starts at an individual time. */
const SESSION_MS = { least: 2 * 3_600_000, most: 5 * 3_600_000 } as const;
/** Time spent reading the chart before the first trade of a token. */
const READING_MS = { least: 15_000, most: 120_000 } as const;
/** Maximum number of entries into one token, and the mean time between two entries. */
const ENTRIES_MOST = 4;
const NEXT_ENTRY_MS = 90_000;
/** Time spent on one chart, including pauses. */
const BUSY_MS = { least: 240_000, most: 1_200_000 } as const;
const STRATEGY: ExitStrategy = {
  holdMedianMs: 45_000,
  holdSpread: 0.7,
  takeProfit: [1.08, 1.5],
  stopLoss: [0.8, 0.93],
  reactionMs: 1_500,
  slippage: { median: 0.12, spread: 0.5 },
  latencyMs: 700,
  halfShare: 0.2,
};

interface Scalper {
  readonly person: Person;
  readonly sizeLamports: bigint;
  /** Milliseconds into the day, and the length of the session. */
  readonly sessionStartMs: number;
  readonly sessionMs: number;
  freeAtMs: number;
}

/** People who trade small moves manually for some hours a day: quick, but one token at a time. */
export const handScalper: BehaviourKind = { name: 'handScalper', label: ORGANIC, settle };

function settle(context: BehaviourContext, count: number): void {
  if (count === 0) return;
  const people = Array.from({ length: count }, () => newScalper(context));
  context.attention.onToken((interest) => {
    for (const one of people) {
      if (isAtTheCharts(one, interest.startMs)) watch(context, one, interest);
    }
  });
}

function newScalper(context: BehaviourContext): Scalper {
  const { random } = context;
  const lamports = drawLamports(random, CAPITAL);
  return {
    person: settler(context, handScalper, lamports, PLAIN_CLIENT),
    sizeLamports: lamportsOfSol(random.pick(PRESET_SOL)),
    sessionStartMs: random.unit() * DAY_MS,
    sessionMs: random.within(SESSION_MS),
    freeAtMs: 0,
  };
}

function isAtTheCharts({ sessionStartMs, sessionMs, freeAtMs }: Scalper, timeMs: number): boolean {
  const sinceStartMs = ((timeMs % DAY_MS) - sessionStartMs + DAY_MS) % DAY_MS;
  return sinceStartMs < sessionMs && timeMs >= freeAtMs;
}

function watch(context: BehaviourContext, one: Scalper, interest: TokenInterest): void {
  const { random, world } = context;
  one.freeAtMs = interest.startMs + random.within(BUSY_MS);
  const entries = 1 + random.below(ENTRIES_MOST);
  let timeMs = interest.startMs + random.within(READING_MS);
  for (let entry = 0; entry < entries; entry++) {
    world.at(Math.round(timeMs), () => {
      if (interest.isOver || interest.holders.has(one.person.address)) return;
      const { person, sizeLamports: lamports } = one;
      buyAndHold(context, { person, interest, lamports, strategy: STRATEGY, isExposed: true });
    });
    timeMs += random.exponential(NEXT_ENTRY_MS);
  }
}
