import type { Address, Slot } from '../../model/units.ts';

export interface MintRequestsOptions {
  readonly random: () => number;
  /** Mints that wait to be asked for; more are left out, to be offered again. */
  readonly waitingMax: number;
  /** Mints remembered as asked for; those offered longest ago are forgotten first. */
  readonly rememberedMax: number;
  /** Answers without a mint in them before it is given up. */
  readonly triesMax: number;
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
}

/** A mint of which the accounts are wanted as they were at `sinceSlot` or later. */
export interface MintRequest {
  readonly mint: Address;
  readonly sinceSlot: Slot;
  /** Answers that did not help. */
  readonly tries: number;
  /** Times nobody answered. */
  readonly delays: number;
  readonly notBeforeMs: number;
}

/** A mint that is not asked for any more. */
export interface GivenUpMint {
  readonly mint: Address;
  readonly reason: string;
}

/** Of those given up, the newest are told. */
const DROPPED_REPORTED_MAX = 1_000;

/** Which mints to ask for next, each once, and which to leave alone. */
export class MintRequests {
  private readonly options: MintRequestsOptions;
  private readonly waiting = new Map<Address, MintRequest>();
  /** In order of the last offer. */
  private readonly remembered = new Set<Address>();
  private readonly givenUp: GivenUpMint[] = [];
  private givenUpTotal = 0;
  private refusedTotal = 0;

  constructor(options: MintRequestsOptions) {
    this.options = options;
  }

  get size(): number {
    return this.waiting.size;
  }

  /** Offers that found no room. */
  get refusedCount(): number {
    return this.refusedTotal;
  }

  get givenUpCount(): number {
    return this.givenUpTotal;
  }

  /** The newest mints that were given up. */
  get givenUpMints(): readonly GivenUpMint[] {
    return this.givenUp;
  }

  /** Wants a mint's accounts, unless they were wanted before. */
  offer(mint: Address, sinceSlot: Slot): void {
    if (this.remembered.delete(mint)) {
      this.remembered.add(mint);
      return;
    }
    const { waitingMax, rememberedMax } = this.options;
    if (this.waiting.size >= waitingMax) {
      this.refusedTotal++;
      return;
    }
    this.remembered.add(mint);
    this.waiting.set(mint, { mint, sinceSlot, tries: 0, delays: 0, notBeforeMs: 0 });
    for (const oldest of this.remembered) {
      if (this.remembered.size <= rememberedMax) break;
      this.remembered.delete(oldest);
    }
  }

  /** Wants them anew: what was read of them is of no use. */
  offerAgain(mint: Address, sinceSlot: Slot): void {
    this.remembered.delete(mint);
    this.waiting.delete(mint);
    this.offer(mint, sinceSlot);
  }

  /** Takes out up to `count` that may be asked for now, longest wanted first. */
  take(nowMs: number, count: number): MintRequest[] {
    const taken: MintRequest[] = [];
    for (const request of this.waiting.values()) {
      if (taken.length >= count) break;
      if (request.notBeforeMs <= nowMs) taken.push(request);
    }
    for (const { mint } of taken) this.waiting.delete(mint);
    return taken;
  }

  /** Nobody answered, or nobody is as far as the slot: that says nothing of the mint. */
  delay(request: MintRequest, nowMs: number): void {
    this.waitAgain({ ...request, delays: request.delays + 1 }, request.delays, nowMs);
  }

  /** The answer did not hold what was asked for. */
  fail(request: MintRequest, reason: string, nowMs: number): void {
    const tries = request.tries + 1;
    if (tries < this.options.triesMax) {
      this.waitAgain({ ...request, tries }, request.tries, nowMs);
      return;
    }
    this.givenUpTotal++;
    this.givenUp.push({ mint: request.mint, reason });
    if (this.givenUp.length > DROPPED_REPORTED_MAX) this.givenUp.shift();
  }

  private waitAgain(request: MintRequest, round: number, nowMs: number): void {
    const { backoffMs, backoffMaxMs, random } = this.options;
    const boundMs = Math.min(backoffMaxMs, backoffMs * 2 ** Math.min(round, 20));
    const notBeforeMs = nowMs + boundMs * (0.5 + random() / 2);
    // One that was offered again meanwhile wants a newer answer than this one.
    if (!this.waiting.has(request.mint))
      this.waiting.set(request.mint, { ...request, notBeforeMs });
  }
}
