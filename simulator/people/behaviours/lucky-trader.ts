import {
  afterLaunches,
  type BehaviourContext,
  type BehaviourKind,
  settlers,
} from '../behaviour.ts';
import { BUYER_STRATEGY } from '../crowd-member.ts';
import { buyAndHold, type ExitStrategy } from '../holding.ts';
import { lamportsOfSol, ORGANIC } from '../wallets.ts';

const CAPITAL_SOL = 25;
const SIZE_SOL = 0.15;
/** Share of launches it buys, good or bad. */
const TICKETS_SHARE = 0.15;
const FIRST_LOOK_MS = { least: 3_000, most: 90_000 } as const;
/** Holds out for far more than others do; otherwise until little is left. */
const STRATEGY: ExitStrategy = {
  ...BUYER_STRATEGY,
  holdMedianMs: 30 * 60_000,
  holdSpread: 0.7,
  takeProfit: [12, 40],
  stopLoss: [0.2, 0.4],
  halfShare: 0,
};

/** People who buy launches indiscriminately: many small losses, and for some one large win. */
export const luckyTrader: BehaviourKind = { name: 'luckyTrader', label: ORGANIC, settle };

function settle(context: BehaviourContext, count: number): void {
  const people = settlers(context, luckyTrader, count, () => lamportsOfSol(CAPITAL_SOL));
  afterLaunches(context, people, {
    shareOf: () => TICKETS_SHARE,
    delayMs: FIRST_LOOK_MS,
    act: (person, interest) => {
      const lamports = lamportsOfSol(SIZE_SOL);
      buyAndHold(context, { person, interest, lamports, strategy: STRATEGY, isExposed: true });
    },
  });
}
