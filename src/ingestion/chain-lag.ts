import { ageMs, clockStepMs, type NowByTwo } from '../lib/steady-time.ts';
import type { Ingestion } from './ingestion.ts';

/** How far the folded state is behind the chain. */
export interface ChainLag {
  /** Null before the first slot, and where its time is unknown. */
  readonly lagMs: number | null;
  /** Slots behind the newest slot known to the source; null if it does not report one. */
  readonly lagSlots: number | null;
  /** Total steps of the wall clock since the start, in milliseconds. */
  readonly clockStepMs: number;
}

/**
 * Lag of the newest folded slot behind the clock and the source. The lag is at least the time since
 * the slot arrived: if the wall clock is slow, a silent source must not appear fresh.
 */
export function lagOf({ engine, status }: Ingestion, now: NowByTwo): ChainLag {
  const { lastSlot, timeMs } = engine;
  const { headSlot, sinceSlotMs } = status;
  const isKnown = lastSlot !== null && timeMs !== 0;
  return {
    lagMs: isKnown ? Math.max(ageMs(timeMs, now), Math.round(sinceSlotMs ?? 0)) : null,
    lagSlots: lastSlot === null || headSlot === null ? null : Math.max(0, headSlot - lastSlot),
    clockStepMs: clockStepMs(now),
  };
}

/** The lag as text. */
export function lagInWords({ lagMs, lagSlots, clockStepMs: stepMs }: ChainLag): string {
  if (lagMs === null) return 'nothing has come from the source yet';
  const slots = lagSlots === null ? '' : `, ${lagSlots} slots`;
  const direction = stepMs > 0 ? 'ahead' : 'back';
  const step = `; this machine's clock was set ${direction} by ${Math.abs(stepMs)} ms since the start`;
  return `${lagMs} ms${slots} behind the chain${stepMs === 0 ? '' : step}`;
}
