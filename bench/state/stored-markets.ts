import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GrowingMarket } from './growing-market.ts';
import type { MarketOptions } from './market-options.ts';

/** Slots between two stored states: going on from one takes some seconds at most. */
const STORE_EVERY_SLOTS = 2_000;
/** Maximum number of stored states. They go back more than two hours. */
const STORED_MAX = 10;
const NAME = /^market-(\d+)\.bin$/;

/** States of a market in a folder, so that it can start at any slot without making all before. */
export class StoredMarkets {
  private readonly folder: string;
  private readonly options: MarketOptions;
  /** Bytes written by this process. */
  writtenBytes = 0;

  /** Creates the folder if needed. It must be of a market with the same options. */
  constructor(folder: string, options: MarketOptions) {
    this.folder = folder;
    this.options = options;
    mkdirSync(folder, { recursive: true });
  }

  /**
   * The market whose next slot is `slot`, made from the newest stored state before it. `onMade` is
   * called with the next slot after each that was made.
   */
  open(slot: number, onMade: (nextSlot: number) => void = () => undefined): GrowingMarket {
    const newest = this.slots().findLast((stored) => stored <= slot);
    const bytes = newest === undefined ? null : readFileSync(this.pathOf(newest));
    const market = new GrowingMarket(this.options, bytes);
    while (market.nextSlot < slot) {
      market.next();
      onMade(market.nextSlot);
    }
    return market;
  }

  /** Stores a market after its last slot, if it is one of those whose state is stored. */
  store(market: GrowingMarket): void {
    const { nextSlot, counters } = market;
    if (counters.slots % STORE_EVERY_SLOTS !== 0) return;
    const path = this.pathOf(nextSlot);
    const unfinished = `${path}.unfinished`;
    const bytes = market.toBytes();
    writeFileSync(unfinished, bytes);
    this.writtenBytes += bytes.length;
    renameSync(unfinished, path);
    for (const stored of this.slots().slice(0, -STORED_MAX)) rmSync(this.pathOf(stored));
  }

  private slots(): number[] {
    const slots = readdirSync(this.folder).flatMap((name) => {
      const found = NAME.exec(name);
      return found === null ? [] : [Number(found[1])];
    });
    return slots.sort((one, other) => one - other);
  }

  private pathOf(slot: number): string {
    return join(this.folder, `market-${slot}.bin`);
  }
}
