import type { UndoLog } from '../lib/undo-log.ts';
import type { SignalOrigin } from '../model/signal.ts';
import type { Address } from '../model/units.ts';
import { startOf } from './features/feature-windows.ts';

const HOUR_MS = 3_600_000;

/** Suppresses further signals of a model for a mint until the cool-down ends. */
export class CoolDowns {
  private readonly undo: UndoLog;
  private readonly until = new Map<string, number>();
  private readonly progress = { sweptHourMs: 0 };

  constructor(undo: UndoLog) {
    this.undo = undo;
  }

  isCool(mint: Address, model: SignalOrigin, nowMs: number): boolean {
    return nowMs >= (this.until.get(keyOf(mint, model)) ?? 0);
  }

  begin(mint: Address, model: SignalOrigin, untilMs: number): void {
    const key = keyOf(mint, model);
    this.undo.map(this.until, key);
    this.until.set(key, untilMs);
  }

  /** Drops cool-downs that have ended, once an hour. */
  dropExpired(nowMs: number): void {
    const hourMs = startOf(nowMs, HOUR_MS);
    if (hourMs === this.progress.sweptHourMs) return;
    this.undo.keep(this.progress);
    this.progress.sweptHourMs = hourMs;
    for (const [key, untilMs] of [...this.until]) {
      if (untilMs > nowMs) continue;
      this.undo.map(this.until, key);
      this.until.delete(key);
    }
  }

  get size(): number {
    return this.until.size;
  }

  *digestRows(): Iterable<string> {
    yield `signal cool-downs swept ${this.progress.sweptHourMs}`;
    for (const key of [...this.until.keys()].sort()) {
      yield `signal cool-down ${key} ${this.until.get(key)}`;
    }
  }
}

function keyOf(mint: Address, model: SignalOrigin): string {
  return `${mint} ${model}`;
}
