import type { Address } from '../../src/model/units.ts';
import type { Random } from '../random/random.ts';

/** The length of slots from a given slot on. */
export interface SlotPace {
  readonly fromSlot: number;
  readonly slotMs: number;
}

export interface ScheduledSlot {
  readonly slot: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Seconds since 1970 by the cluster's clock: never earlier than the previous slot. */
  readonly unixTime: number;
  readonly leader: Address;
  readonly isSkipped: boolean;
}

/** Consecutive slots per leader. */
const LEADER_SLOTS = 4;

/**
 * Time and leader of each slot. Lengths vary by a tenth around the pace, which may change midway.
 */
export class SlotSchedule {
  private readonly random: Random;
  private readonly paces: readonly SlotPace[];
  private readonly leaders: readonly Address[];
  private readonly skipRate: number;
  private slot: number;
  private timeMs: number;
  private leader: Address;

  constructor(
    random: Random,
    options: {
      readonly firstSlot: number;
      readonly startMs: number;
      readonly paces: readonly SlotPace[];
      readonly leaders: readonly Address[];
      /** Share of slots without a block. */
      readonly skipRate: number;
    },
  ) {
    this.random = random;
    this.paces = options.paces;
    this.leaders = options.leaders;
    this.skipRate = options.skipRate;
    this.slot = options.firstSlot;
    this.timeMs = options.startMs;
    this.leader = random.pick(options.leaders);
  }

  /** Start of the next slot. */
  get nextStartMs(): number {
    return this.timeMs;
  }

  next(): ScheduledSlot {
    const { slot, timeMs: startMs } = this;
    if (slot % LEADER_SLOTS === 0) this.leader = this.random.pick(this.leaders);
    const length = this.paceAt(slot) * this.random.between(0.9, 1.1);
    const endMs = startMs + Math.round(length);
    this.slot++;
    this.timeMs = endMs;
    return {
      slot,
      startMs,
      endMs,
      unixTime: Math.floor(startMs / 1_000),
      leader: this.leader,
      isSkipped: this.random.chance(this.skipRate),
    };
  }

  /** Skips all slots that end before a time. They have no blocks and follow the pace. */
  passUntil(timeMs: number): void {
    const pace = this.paceAt(this.slot);
    const slots = Math.floor((timeMs - this.timeMs) / pace);
    if (slots <= 0) return;
    this.slot += slots;
    this.timeMs += slots * pace;
    this.leader = this.random.pick(this.leaders);
  }

  private paceAt(slot: number): number {
    const pace = this.paces.findLast(({ fromSlot }) => fromSlot <= slot);
    return pace?.slotMs ?? 400;
  }
}
