import { type BehaviourContext, type BehaviourKind, settlers } from '../behaviour.ts';
import { BUYER_STRATEGY, joinCrowd } from '../crowd-member.ts';
import type { ExitStrategy } from '../holding.ts';
import { freeSizeLamports } from '../order-size.ts';
import { drawLamports, ORGANIC } from '../wallets.ts';

const SAVINGS = { medianSol: 8, spread: 0.8 } as const;
/** Sells after a large rise, or after days; most holdings become worthless first. */
const STRATEGY: ExitStrategy = {
  ...BUYER_STRATEGY,
  holdMedianMs: 36 * 3_600_000,
  holdSpread: 0.8,
  takeProfit: [6, 30],
  stopLoss: [0.01, 0.05],
  reactionMs: 60_000,
  halfShare: 0.8,
};

/** People who buy what others talk about and keep it. */
export const holder: BehaviourKind = { name: 'holder', label: ORGANIC, settle };

function settle(context: BehaviourContext, count: number): void {
  if (count === 0) return;
  const { random, attention, funding } = context;
  const people = settlers(context, holder, count, () => drawLamports(random, SAVINGS));
  for (const person of people) funding.befriend(person);
  attention.buyers.push({
    weight: count,
    come: (interest) =>
      joinCrowd(context, random.pick(people), interest, freeSizeLamports(random), STRATEGY),
  });
}
