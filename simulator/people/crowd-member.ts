import { type BehaviourContext, SPARE_LAMPORTS } from './behaviour.ts';
import { buyAndHold, type ExitStrategy } from './holding.ts';
import type { TokenInterest } from './token-interest.ts';
import { lamportsOf, lamportsOfSol, lesser, type Person } from './wallets.ts';

const MINUTE_MS = 60_000;

/** How an ordinary buyer sells, regardless of the token's quality. */
export const BUYER_STRATEGY: ExitStrategy = {
  holdMedianMs: 12 * MINUTE_MS,
  holdSpread: 1.1,
  takeProfit: [1.5, 6],
  stopLoss: [0.3, 0.75],
  reactionMs: 6_000,
  slippage: { median: 0.05, spread: 0.9 },
  latencyMs: 1_500,
  halfShare: 0.4,
};

export const CROWD_STRATEGY: ExitStrategy = { ...BUYER_STRATEGY, isCrowd: true };

/** New money: median and spread of the logarithm. */
const TOP_UP = { medianSol: 2, spread: 0.8 } as const;
const TYPING_MS = 15_000;
/** At most one part in this many of a balance goes into one trade. */
const MOST_DIVISOR = 2n;
/** Share of existing holders who buy more; the others have enough. */
const BUY_MORE_SHARE = 0.3;

/** Buys a token for a member of the crowd, who is funded first if necessary. */
export function joinCrowd(
  context: BehaviourContext,
  person: Person,
  interest: TokenInterest,
  ownSize: bigint,
  strategy: ExitStrategy = CROWD_STRATEGY,
): void {
  const { world, random, crowdWeight } = context;
  const size = ownSize * crowdWeight;
  if (interest.holders.has(person.address) && !random.chance(BUY_MORE_SHARE)) return;
  const half = (lamportsOf(world, person) - SPARE_LAMPORTS) / MOST_DIVISOR;
  if (half > 0n && size <= half * MOST_DIVISOR) {
    const lamports = lesser(size, half);
    buyAndHold(context, { person, interest, lamports, strategy, isExposed: true });
    return;
  }
  topUp(context, person, size, () => {
    if (interest.isOver) return;
    buyAndHold(context, { person, interest, lamports: size, strategy, isExposed: true });
  });
}

/** Funds at least enough for a trade, then waits the time needed to type the order. */
function topUp(
  { world, random, funding }: BehaviourContext,
  person: Person,
  size: bigint,
  then: () => void,
): void {
  const usual = lamportsOfSol(random.logNormal(TOP_UP.medianSol, TOP_UP.spread));
  const lamports = size + 5n * SPARE_LAMPORTS + usual;
  funding.fund(person, lamports, () => {
    world.after(Math.round(random.exponential(TYPING_MS)), then);
  });
}
