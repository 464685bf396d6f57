import {
  afterLaunches,
  type BehaviourContext,
  type BehaviourKind,
  settlers,
} from '../behaviour.ts';
import { BUYER_STRATEGY } from '../crowd-member.ts';
import { buyAndHold, type ExitStrategy } from '../holding.ts';
import type { TokenInterest } from '../token-interest.ts';
import { lamportsOfSol, ORGANIC, type Person } from '../wallets.ts';

const CAPITAL_SOL = 80;
const SIZE_SOL = { least: 0.5, most: 3 } as const;
/** Probability of a recommendation: higher for good tokens than for bad ones, low for all. */
const CALL_SHARE = { atWorst: 0.002, atBest: 0.06 } as const;
const FINDS_MS = { least: 20_000, most: 240_000 } as const;
/** Delay between the purchase and the post. */
const POSTS_MS = { least: 5_000, most: 60_000 } as const;
/** Followers who arrive: median and spread of the logarithm; they arrive within minutes. */
const FOLLOWERS = { median: 40, spread: 0.8, fadeMs: 90_000, most: 400 } as const;
const STRATEGY: ExitStrategy = {
  ...BUYER_STRATEGY,
  holdMedianMs: 8 * 60_000,
  takeProfit: [1.6, 4],
};

/** People with many followers: they buy, recommend the token, and sell to those who follow. */
export const promoter: BehaviourKind = { name: 'promoter', label: ORGANIC, settle };

function settle(context: BehaviourContext, count: number): void {
  const people = settlers(context, promoter, count, () => lamportsOfSol(CAPITAL_SOL));
  const { atWorst, atBest } = CALL_SHARE;
  afterLaunches(context, people, {
    shareOf: ({ quality }) => atWorst + (atBest - atWorst) * quality,
    delayMs: FINDS_MS,
    act: (person, interest) => promote(context, person, interest),
  });
}

function promote(context: BehaviourContext, person: Person, interest: TokenInterest): void {
  const { world, random, attention } = context;
  if (interest.isOver) return;
  const lamports = lamportsOfSol(random.within(SIZE_SOL));
  buyAndHold(context, { person, interest, lamports, strategy: STRATEGY });
  world.after(random.wholeWithin(POSTS_MS), () => {
    if (interest.isOver) return;
    const followers = random.logNormal(FOLLOWERS.median, FOLLOWERS.spread);
    const count = Math.min(FOLLOWERS.most, followers);
    attention.publishCall(interest, person);
    interest.addArrivals({ count, fadeMs: FOLLOWERS.fadeMs });
  });
}
