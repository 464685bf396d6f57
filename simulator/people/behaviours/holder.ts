import type { BehaviourContext, BehaviourKind } from '../behaviour.ts';
import { settler } from '../behaviour.ts';
import { CROWD_HABIT, joinCrowd } from '../crowd-member.ts';
import type { ExitHabit } from '../holding.ts';
import { freeSizeLamports } from '../order-size.ts';
import { lamportsOfSol } from '../wallets.ts';

const SAVINGS = { medianSol: 8, spread: 0.8 } as const;
/** Sells after a large rise, or after days; most holdings become worthless first. */
const HABIT: ExitHabit = {
  ...CROWD_HABIT,
  holdMedianMs: 36 * 3_600_000,
  holdSpread: 0.8,
  takeProfit: [6, 30],
  stopLoss: [0.01, 0.05],
  reactionMs: 60_000,
  halfShare: 0.8,
  isCrowd: false,
};

const label = { automation: 'organic', isSmart: false } as const;

/** People who buy what others talk about and keep it. */
export const holder: BehaviourKind = { name: 'holder', label, settle };

function settle(context: BehaviourContext, count: number): void {
  if (count === 0) return;
  const { random, attention, funding } = context;
  const people = Array.from({ length: count }, () =>
    settler(context, holder, lamportsOfSol(random.logNormal(SAVINGS.medianSol, SAVINGS.spread))),
  );
  for (const person of people) funding.befriend(person);
  attention.buyers.push({
    weight: count,
    come: (interest) =>
      joinCrowd(context, random.pick(people), interest, freeSizeLamports(random), HABIT),
  });
}
