import { type BehaviourContext, type BehaviourKind, settler } from '../behaviour.ts';
import { buyAndHold, type ExitStrategy } from '../holding.ts';
import { JITO_TIP_ACCOUNTS } from '../tip-accounts.ts';
import type { TokenInterest } from '../token-interest.ts';
import { BOT, drawLamports, lamportsOfSol, type Person } from '../wallets.ts';

const CAPITAL = { medianSol: 40, spread: 0.6 } as const;
const SIZE_SOL = { least: 0.1, most: 1.5 } as const;
/** Sizes vary by this share around the program's own size. */
const SIZE_JITTER = 0.1;
const TIP_LAMPORTS = { least: 500_000, most: 20_000_000 } as const;
/** Share of programs that send their order with the creation; others see it in a block first. */
const FASTEST_SHARE = 0.6;
const SLOW_SLOTS_MAX = 6;
const APPETITE = { least: 0.1, most: 0.6 } as const;
const HOLD_SECONDS = { least: 8, most: 240 } as const;

interface Sniper {
  readonly person: Person;
  /** Share of launches it buys. */
  readonly appetite: number;
  readonly sizeSol: number;
  readonly strategy: ExitStrategy;
  /** Slots after the creation; 0 for the same block. */
  readonly lagSlots: number;
  readonly tipLamports: number;
}

/** Programs that buy launches immediately, independently and with their own tips. */
export const sniper: BehaviourKind = { name: 'sniper', label: BOT, settle };

function settle(context: BehaviourContext, count: number): void {
  const { random, attention, world } = context;
  const snipers = Array.from({ length: count }, () => newSniper(context));
  attention.onToken((interest) => {
    if (interest.creation === null) return;
    for (const one of snipers) {
      if (!random.chance(one.appetite)) continue;
      if (one.lagSlots === 0) snipe(context, one, interest);
      else world.after(one.lagSlots * SLOT_MS, () => snipe(context, one, interest));
    }
  });
}

/** About one slot: programs wait by the clock. */
const SLOT_MS = 400;

function newSniper(context: BehaviourContext): Sniper {
  const { random } = context;
  const lamports = drawLamports(random, CAPITAL);
  return {
    person: settler(context, sniper, lamports),
    appetite: random.within(APPETITE),
    sizeSol: random.within(SIZE_SOL),
    strategy: strategyOf(1_000 * random.within(HOLD_SECONDS)),
    lagSlots: random.chance(FASTEST_SHARE) ? 0 : 1 + random.below(SLOW_SLOTS_MAX),
    tipLamports: random.within(TIP_LAMPORTS),
  };
}

function strategyOf(holdMedianMs: number): ExitStrategy {
  return {
    holdMedianMs,
    holdSpread: 0.5,
    takeProfit: [1.4, 3],
    stopLoss: [0.5, 0.7],
    reactionMs: 300,
    slippage: { median: 0.25, spread: 0.4 },
    latencyMs: 0,
    halfShare: 0.2,
  };
}

function snipe(context: BehaviourContext, one: Sniper, interest: TokenInterest): void {
  const { random } = context;
  const { person, strategy, tipLamports, lagSlots } = one;
  const jitter = random.between(1 - SIZE_JITTER, 1 + SIZE_JITTER);
  const tip = {
    account: random.pick(JITO_TIP_ACCOUNTS),
    lamports: BigInt(Math.round(tipLamports * random.between(0.8, 1.2))),
  };
  const isSameBlock = lagSlots === 0 && interest.creation !== null;
  buyAndHold(context, {
    person,
    interest,
    lamports: lamportsOfSol(one.sizeSol * jitter),
    strategy,
    tip,
    priority: Number(tip.lamports),
    ...(isSameBlock ? { placement: { behind: interest.creation } } : {}),
  });
}
