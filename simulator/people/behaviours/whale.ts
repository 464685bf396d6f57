import { pricingReserves } from '../../venues/market.ts';
import { type BehaviourContext, type BehaviourKind, settler } from '../behaviour.ts';
import { CROWD_HABIT } from '../crowd-member.ts';
import { buyAndHold, type ExitHabit } from '../holding.ts';
import type { TokenInterest } from '../token-interest.ts';
import { lamportsOfSol, type Person } from '../wallets.ts';

const CAPITAL = { medianSol: 800, spread: 0.6 } as const;
const SIZE_SOL = { least: 4, most: 15 } as const;
/** Buys late, once a token has become deep enough. */
const LOOK_MS = { least: 3 * 60_000, most: 20 * 60_000 } as const;
const DEPTH_LEAST_LAMPORTS = lamportsOfSol(60);
const TAKEN_SHARE = 0.3;
const HABIT: ExitHabit = {
  ...CROWD_HABIT,
  holdMedianMs: 40 * 60_000,
  takeProfit: [1.3, 3],
  stopLoss: [0.4, 0.7],
  slippage: { median: 0.1, spread: 0.5 },
  halfShare: 1,
  isCrowd: false,
};

const label = { automation: 'organic', isSmart: false } as const;

/** People with so much money that only deep pools can absorb it. */
export const whale: BehaviourKind = { name: 'whale', label, settle };

function settle(context: BehaviourContext, count: number): void {
  if (count === 0) return;
  const { random, attention, world } = context;
  const people = Array.from({ length: count }, () =>
    settler(context, whale, lamportsOfSol(random.logNormal(CAPITAL.medianSol, CAPITAL.spread))),
  );
  attention.onToken((interest) => {
    for (const person of people) {
      if (!random.chance(TAKEN_SHARE)) continue;
      const delayMs = Math.round(random.between(LOOK_MS.least, LOOK_MS.most));
      world.at(interest.startMs + delayMs, () => enter(context, person, interest));
    }
  });
}

function enter(context: BehaviourContext, person: Person, interest: TokenInterest): void {
  const { random, world } = context;
  const [deepest] = interest.isOver ? [] : interest.openMarkets();
  if (deepest === undefined) return;
  if (pricingReserves(deepest, world.chain.ledger).quoteRaw < DEPTH_LEAST_LAMPORTS) return;
  const lamports = lamportsOfSol(random.between(SIZE_SOL.least, SIZE_SOL.most));
  buyAndHold(context, { person, interest, lamports, habit: HABIT, isExposed: true });
}
