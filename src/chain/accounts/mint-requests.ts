import type { Address, Slot } from '../../model/units.ts';

export interface MintRequestsOptions {
  readonly random: () => number;
  /** Bound on mints waiting to be requested; further offers are refused and must be repeated. */
  readonly waitingMax: number;
  /** Bound on mints remembered as requested; the least recently offered are forgotten first. */
  readonly rememberedMax: number;
  /** Answers without a mint after which a mint is dropped. */
  readonly triesMax: number;
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
}

/** A mint whose accounts are requested at `sinceSlot` or later. */
export interface MintRequest {
  readonly mint: Address;
  readonly sinceSlot: Slot;
  /** Answers without a usable mint account. */
  readonly tries: number;
  /** Calls that no node answered. */
  readonly delays: number;
  readonly notBeforeMs: number;
}

/** A mint that is no longer requested. */
export interface DroppedMint {
  readonly mint: Address;
  readonly reason: string;
}

/** How many of the dropped mints are reported, newest first. */
const DROPPED_REPORTED_MAX = 1_000;

/** Decides which mints to request next, each once, and which to skip. */
export class MintRequests {
  private readonly options: MintRequestsOptions;
  private readonly waiting = new Map<Address, MintRequest>();
  /** In order of the latest offer. */
  private readonly remembered = new Set<Address>();
  private readonly dropped: DroppedMint[] = [];
  private droppedTotal = 0;
  private refusedTotal = 0;

  constructor(options: MintRequestsOptions) {
    this.options = options;
  }

  get size(): number {
    return this.waiting.size;
  }

  /** Offers refused because the queue was full. */
  get refusedCount(): number {
    return this.refusedTotal;
  }

  get droppedCount(): number {
    return this.droppedTotal;
  }

  /** The newest mints that were dropped. */
  get droppedMints(): readonly DroppedMint[] {
    return this.dropped;
  }

  /** Requests a mint's accounts, unless they were requested before. */
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

  /** Requests them again, because the earlier observation is of no use. */
  offerAgain(mint: Address, sinceSlot: Slot): void {
    this.remembered.delete(mint);
    this.waiting.delete(mint);
    this.offer(mint, sinceSlot);
  }

  /** Removes and returns up to `count` requests that are due, longest waiting first. */
  take(nowMs: number, count: number): MintRequest[] {
    const taken: MintRequest[] = [];
    for (const request of this.waiting.values()) {
      if (taken.length >= count) break;
      if (request.notBeforeMs <= nowMs) taken.push(request);
    }
    for (const { mint } of taken) this.waiting.delete(mint);
    return taken;
  }

  /** No node answered, or none has reached the slot: this says nothing about the mint. */
  delay(request: MintRequest, nowMs: number): void {
    this.waitAgain({ ...request, delays: request.delays + 1 }, request.delays, nowMs);
  }

  /** The answer did not contain a usable mint account. */
  fail(request: MintRequest, reason: string, nowMs: number): void {
    const tries = request.tries + 1;
    if (tries < this.options.triesMax) {
      this.waitAgain({ ...request, tries }, request.tries, nowMs);
      return;
    }
    this.droppedTotal++;
    this.dropped.push({ mint: request.mint, reason });
    if (this.dropped.length > DROPPED_REPORTED_MAX) this.dropped.shift();
  }

  private waitAgain(request: MintRequest, round: number, nowMs: number): void {
    const { backoffMs, backoffMaxMs, random } = this.options;
    const boundMs = Math.min(backoffMaxMs, backoffMs * 2 ** Math.min(round, 20));
    const notBeforeMs = nowMs + boundMs * (0.5 + random() / 2);
    // A mint that was offered again in the meantime needs a newer answer than this one.
    if (!this.waiting.has(request.mint))
      this.waiting.set(request.mint, { ...request, notBeforeMs });
  }
}
