import type { Behaviour } from './people/behaviour-names.ts';
import type { BenignFamily, FraudType } from './truth/labels.ts';

/** All parameters of a simulation: the same configuration gives the same bytes. */
export interface SimulationConfig {
  readonly seed: string;
  readonly firstSlot: number;
  /** Start of the first slot, in milliseconds since 1970. */
  readonly startMs: number;
  /** Length of a slot in milliseconds, and `laterSlotMs` from `laterFromSlot` on. */
  readonly slotMs: number;
  readonly laterSlotMs: number;
  readonly laterFromSlot: number;
  /** Share of slots without a block. */
  readonly skipRate: number;
  /** Share of slots at which a branch begins that is dropped later. */
  readonly forkRate: number;
  readonly forkSlotsMax: number;
  /**
   * Slots without any orders have no block: weeks of a quiet market only cost time for what is
   * traded.
   */
  readonly skipsIdleSlots: boolean;
  readonly blockCapacity: number;
  readonly votesPerBlock: number;
  /** Mean time between two trades in a SOL/USDC pool that keep it at the price of SOL. */
  readonly solTradeEveryMs: number;
  /** Ordinary launches, in addition to those of attacks and look-alikes. */
  readonly launchesPerHour: number;
  /** Launches of tokens that start in a pool of their own, without a launchpad. */
  readonly poolLaunchesPerHour: number;
  /** The attractiveness of a launched token is a uniform number, 0 to 1, to this power. */
  readonly qualityPower: number;
  /** Share of launched tokens that find attention a second time, hours later. */
  readonly secondWaveShare: number;
  /**
   * Share of wallets whose clients keep pump's fees in the curve or pool, as most do since October
   * 2026.
   */
  readonly keptFeesShare: number;
  /** Share of the other wallets that call the second form of pump's instructions. */
  readonly secondFormShare: number;
  /** Share of wallets whose purchases from pump specify a number of tokens instead of an amount. */
  readonly exactTokensShare: number;
  /** Share of ordinary launches quoted in dollars or in another launched coin. */
  readonly otherQuoteShare: number;
  /** Share of ordinary launches whose creator fees go to holders. */
  readonly holderRewardShare: number;
  /** Mean times between two payouts of kept fees, and between two buyback purchases. */
  readonly feeSweepEveryMs: number;
  readonly boostEveryMs: number;
  /**
   * Each member of the crowd represents this many: fewer arrive, each with as many times the money.
   */
  readonly crowdWeight: number;
  /** Size of each population. */
  readonly people: Readonly<Record<Behaviour, number>>;
  /** Runs of each attack, with difficulties in equal shares. */
  readonly attacksPerHour: Readonly<Record<FraudType, number>>;
  readonly benignPerHour: Readonly<Record<BenignFamily, number>>;
}
