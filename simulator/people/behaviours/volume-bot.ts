import type { Execution } from '../../chain/execution.ts';
import { buySteps, sellSteps } from '../../market/trade-steps.ts';
import type { Market } from '../../venues/market.ts';
import { underlying } from '../../venues/path-market.ts';
import { SHARING_STYLE } from '../../venues/trade-style.ts';
import {
  type BehaviourContext,
  type BehaviourKind,
  SPARE_LAMPORTS,
  settlers,
} from '../behaviour.ts';
import type { TokenInterest } from '../token-interest.ts';
import { BOT, drawLamports, lamportsOf, lamportsOfSol, type Person } from '../wallets.ts';

const CAPITAL = { medianSol: 15, spread: 0.4 } as const;
const SIZE_SOL = { least: 0.05, most: 0.8 } as const;
/** Share of tokens for which such programs are hired, and how long one runs. */
const HIRED_SHARE = 0.15;
const WORK_MS = { least: 120_000, most: 900_000 } as const;
const EVERY_MS = { least: 4_000, most: 25_000 } as const;
/**
 * Round trips per transaction, limited by the packet size: fewer if each needs wrapped SOL, one if
 * the route has two pools.
 */
const TURNS_MAX = { lamports: 3, wrapped: 2, path: 1 } as const;
const UNITS = { unitLimit: 600_000, priceMicroLamports: 20_000n } as const;

/**
 * Programs that create volume: they buy and sell the same amount in one transaction and pay the
 * fees.
 */
export const volumeBot: BehaviourKind = { name: 'volumeBot', label: BOT, settle };

function settle(context: BehaviourContext, count: number): void {
  if (count === 0) return;
  const { random, attention, world } = context;
  const people = settlers(context, volumeBot, count, () => drawLamports(random, CAPITAL));
  attention.onToken((interest) => {
    if (!random.chance(HIRED_SHARE)) return;
    const untilMs = world.nowMs + random.within(WORK_MS);
    work(context, random.pick(people), interest, untilMs);
  });
}

function work(
  context: BehaviourContext,
  person: Person,
  interest: TokenInterest,
  untilMs: number,
): void {
  const { world, random } = context;
  world.after(random.wholeWithin(EVERY_MS), () => {
    if (interest.isOver || world.nowMs > untilMs) return;
    turn(context, person, interest);
    work(context, person, interest, untilMs);
  });
}

function turn({ world, random }: BehaviourContext, person: Person, interest: TokenInterest): void {
  const market = interest.pickMarket(random);
  const lamports = lamportsOfSol(random.within(SIZE_SOL));
  if (market === null || lamportsOf(world, person) < lamports + SPARE_LAMPORTS) return;
  const turns = 1 + random.below(turnsMaxOf(market));
  world.send({
    feePayer: person.address,
    computeBudget: UNITS,
    version: 0,
    build(execution) {
      for (let count = 0; count < turns; count++) {
        thereAndBack(execution, world, person, market, lamports);
      }
    },
  });
}

function turnsMaxOf(market: Market): number {
  if (underlying(market) !== market) return TURNS_MAX.path;
  return market.takesLamports ? TURNS_MAX.lamports : TURNS_MAX.wrapped;
}

function thereAndBack(
  execution: Execution,
  { tokenAccounts }: BehaviourContext['world'],
  { address: trader }: Person,
  market: Market,
  lamports: bigint,
): void {
  const steps = { market, trader, minOutRaw: 1n, style: SHARING_STYLE };
  buySteps(execution, tokenAccounts, { ...steps, amountInRaw: lamports });
  const { token } = execution.ledger.get(tokenAccounts.of(trader, market.baseMint));
  sellSteps(execution, tokenAccounts, { ...steps, amountInRaw: token?.amountRaw ?? 0n }, true);
}
