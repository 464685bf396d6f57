import type { Service } from '../../../src/service/app.ts';
import { FIRST_SLOT } from '../market-options.ts';
import { readProcessMemory } from '../process-memory.ts';
import type { LateFigures } from './late-order.ts';

const LOOK_EVERY_MS = 20;

/** Watches what a late slot causes, from its delivery on. */
export class RefoldWatch {
  private readonly service: Service;
  /** Swaps of the market up to each slot, from its first on. */
  private readonly swapsThrough: number[] = [];
  private deliveredMs: number | null = null;
  private beganMs = Number.NaN;
  private foldedMs = Number.NaN;
  private delayMs = 0;
  private residentMiB = 0;

  constructor(service: Service) {
    this.service = service;
  }

  /** The swaps of the market after its next slot. */
  noteSlot(swaps: number): void {
    this.swapsThrough.push(swaps);
  }

  noteDelay(ms: number): void {
    this.delayMs = Math.max(this.delayMs, ms);
  }

  /** A slot was folded again. */
  noteFold(): void {
    if (this.deliveredMs === null) return;
    const sinceMs = performance.now() - this.deliveredMs;
    if (Number.isNaN(this.beganMs)) this.beganMs = sinceMs;
    this.foldedMs = sinceMs;
  }

  /** Call when the slot is delivered. Resolves when its rows are in one layer. */
  async applied(onVisible: () => Promise<void>): Promise<LateFigures> {
    const startMs = performance.now();
    this.deliveredMs = startMs;
    const { ingestion } = this.service;
    await this.until(() => ingestion.status.refolds > 0);
    const visibleMs = performance.now() - startMs;
    const { foldedMs } = this;
    const end = ingestion.engine.lastSlot ?? FIRST_SLOT;
    const start = this.service.store.cursor.read().layers?.folds.at(-1)?.afterSlot ?? null;
    await onVisible();
    await this.until(() => !ingestion.status.isRefolding && !ingestion.status.isDirty);
    return {
      beganMs: this.beganMs,
      foldedMs,
      visibleMs,
      mergedMs: performance.now() - startMs,
      slots: end - (start ?? FIRST_SLOT - 1),
      swaps: this.swapsTo(end) - (start === null ? 0 : this.swapsTo(start)),
      delayMs: this.delayMs,
      residentMiB: this.residentMiB,
    };
  }

  private swapsTo(slot: number): number {
    return this.swapsThrough[slot - FIRST_SLOT] ?? 0;
  }

  private until(isTrue: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setInterval(() => {
      this.residentMiB = Math.max(this.residentMiB, readProcessMemory().residentMiB);
      if (!isTrue()) return;
      clearInterval(timer);
      resolve();
    }, LOOK_EVERY_MS);
    return promise;
  }
}
