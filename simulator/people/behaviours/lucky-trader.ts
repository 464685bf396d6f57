import { type BehaviourContext, type BehaviourKind, settler } from '../behaviour.ts';
import { CROWD_HABIT } from '../crowd-member.ts';
import { buyAndHold, type ExitHabit } from '../holding.ts';
import type { TokenInterest } from '../token-interest.ts';
import { lamportsOfSol, type Person } from '../wallets.ts';

const CAPITAL_SOL = 25;
const SIZE_SOL = 0.15;
/** Share of launches it buys, good or bad. */
const TICKETS_SHARE = 0.15;
const FIRST_LOOK_MS = { least: 3_000, most: 90_000 } as const;
/** Holds out for far more than others do; otherwise until little is left. */
const HABIT: ExitHabit = {
  ...CROWD_HABIT,
  holdMedianMs: 30 * 60_000,
  holdSpread: 0.7,
  takeProfit: [12, 40],
  stopLoss: [0.2, 0.4],
  halfShare: 0,
  isCrowd: false,
};

const label = { automation: 'organic', isSmart: false } as const;

/** People who buy launches indiscriminately: many small losses, and for some one large win. */
export const luckyTrader: BehaviourKind = { name: 'luckyTrader', label, settle };

function settle(context: BehaviourContext, count: number): void {
  const { random, attention, world } = context;
  const people = Array.from({ length: count }, () =>
    settler(context, luckyTrader, lamportsOfSol(CAPITAL_SOL)),
  );
  attention.onToken((interest) => {
    for (const person of people) {
      if (!random.chance(TICKETS_SHARE)) continue;
      const delayMs = Math.round(random.between(FIRST_LOOK_MS.least, FIRST_LOOK_MS.most));
      world.at(interest.startMs + delayMs, () => takeTicket(context, person, interest));
    }
  });
}

function takeTicket(context: BehaviourContext, person: Person, interest: TokenInterest): void {
  const lamports = lamportsOfSol(SIZE_SOL);
  buyAndHold(context, { person, interest, lamports, habit: HABIT, isExposed: true });
}
