import type { BenignFamily, FraudType } from './truth/labels.ts';

/** Kinds of people and programs that trade, each with a population of its own. */
export const BEHAVIOURS = [
  'casual',
  'terminalUser',
  'freshUser',
  'sniper',
  'copyTrader',
  'marketMaker',
  'arbitrageur',
  'sandwicher',
  'volumeBot',
  'smartTrader',
  'luckyTrader',
  'promoter',
  'holder',
  'handScalper',
  'whale',
] as const;

export type Behaviour = (typeof BEHAVIOURS)[number];

/** Everything a simulation depends on: the same configuration gives the same bytes. */
export interface SimulationConfig {
  readonly seed: string;
  readonly firstSlot: number;
  /** Milliseconds since 1970 at the first slot's start. */
  readonly startMs: number;
  /** Length of a slot in milliseconds, and from `laterFromSlot` on `laterSlotMs`. */
  readonly slotMs: number;
  readonly laterSlotMs: number;
  readonly laterFromSlot: number;
  /** Share of slots without a block. */
  readonly skipRate: number;
  /** Share of slots at which a branch begins that is dropped. */
  readonly forkRate: number;
  readonly forkSlotsMax: number;
  /**
   * Slots in which nobody sends anything bring no block: weeks of a quiet market cost what is traded
   * in them.
   */
  readonly skipsIdleSlots: boolean;
  readonly blockCapacity: number;
  readonly votesPerBlock: number;
  /** Mean time between two trades in a SOL/USDC pool, of those who hold it at the price of SOL. */
  readonly solTradeEveryMs: number;
  /** Ordinary launches, beside those that attacks and look-alikes bring. */
  readonly launchesPerHour: number;
  /** Launches of tokens that begin in a pool of their own, without a launchpad. */
  readonly poolLaunchesPerHour: number;
  /** How much a launched token is wanted: a uniform number, 0 to 1, to this power. */
  readonly qualityPower: number;
  /** Wallets whose clients keep pump's fees in the curve or pool, as most do since October 2026. */
  readonly keptFeesShare: number;
  /** Of the other wallets, those that call the second form of pump's instructions. */
  readonly secondFormShare: number;
  /** Wallets whose purchases from pump name a number of tokens instead of an amount. */
  readonly exactTokensShare: number;
  /** Ordinary launches quoted in dollars or in another launched coin. */
  readonly otherQuoteShare: number;
  /** Ordinary launches whose creator fees go to holders. */
  readonly holderRewardShare: number;
  /** Mean times between two payouts of kept fees, and between two purchases that are burnt. */
  readonly feeSweepEveryMs: number;
  readonly boostEveryMs: number;
  /** Each visitor stands for so many: fewer come, each with as many times the money. */
  readonly crowdWeight: number;
  /** Size of each population. */
  readonly people: Readonly<Record<Behaviour, number>>;
  /** Runs of each attack, difficulties in equal shares. */
  readonly attacksPerHour: Readonly<Record<FraudType, number>>;
  readonly benignPerHour: Readonly<Record<BenignFamily, number>>;
}
