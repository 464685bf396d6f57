import { pricingReserves } from '../../venues/market.ts';
import {
  afterLaunches,
  type BehaviourContext,
  type BehaviourKind,
  settlers,
} from '../behaviour.ts';
import { BUYER_STRATEGY } from '../crowd-member.ts';
import { buyAndHold, type ExitStrategy } from '../holding.ts';
import type { TokenInterest } from '../token-interest.ts';
import { drawLamports, lamportsOfSol, ORGANIC, type Person } from '../wallets.ts';

const CAPITAL = { medianSol: 800, spread: 0.6 } as const;
const SIZE_SOL = { least: 4, most: 15 } as const;
/** Buys late, once a token has become deep enough. */
const LOOK_MS = { least: 3 * 60_000, most: 20 * 60_000 } as const;
const DEPTH_LEAST_LAMPORTS = lamportsOfSol(60);
const TAKEN_SHARE = 0.3;
const STRATEGY: ExitStrategy = {
  ...BUYER_STRATEGY,
  holdMedianMs: 40 * 60_000,
  takeProfit: [1.3, 3],
  stopLoss: [0.4, 0.7],
  slippage: { median: 0.1, spread: 0.5 },
  halfShare: 1,
};

/** People with so much money that only deep pools can absorb it. */
export const whale: BehaviourKind = { name: 'whale', label: ORGANIC, settle };

function settle(context: BehaviourContext, count: number): void {
  if (count === 0) return;
  const { random } = context;
  const people = settlers(context, whale, count, () => drawLamports(random, CAPITAL));
  afterLaunches(context, people, {
    shareOf: () => TAKEN_SHARE,
    delayMs: LOOK_MS,
    act: (person, interest) => enter(context, person, interest),
  });
}

function enter(context: BehaviourContext, person: Person, interest: TokenInterest): void {
  const { random, world } = context;
  const [deepest] = interest.isOver ? [] : interest.openMarkets();
  if (deepest === undefined) return;
  if (pricingReserves(deepest, world.chain.ledger).quoteRaw < DEPTH_LEAST_LAMPORTS) return;
  const lamports = lamportsOfSol(random.within(SIZE_SOL));
  buyAndHold(context, { person, interest, lamports, strategy: STRATEGY, isExposed: true });
}
