import { ageMs, clockStepMs, type NowByTwo } from '../lib/steady-time.ts';
import type { Ingestion } from './ingestion.ts';

/** How far what is folded is behind the chain. */
export interface ChainLag {
  /** Null before the first slot, and where its time is unknown. */
  readonly lagMs: number | null;
  /** Behind what the source knows of; null where it does not say. */
  readonly lagSlots: number | null;
  /** By how much the machine's clock was set since the start. */
  readonly clockStepMs: number;
}

/**
 * How far the newest slot folded is behind the clock, and behind what the source knows of. It is at
 * least as old as it has been here, whatever time of day that was: a clock that is behind shows no
 * source that fell silent as fresh.
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

/** For people. */
export function lagInWords({ lagMs, lagSlots, clockStepMs: stepMs }: ChainLag): string {
  if (lagMs === null) return 'nothing has come from the source yet';
  const slots = lagSlots === null ? '' : `, ${lagSlots} slots`;
  const direction = stepMs > 0 ? 'ahead' : 'back';
  const step = `; this machine's clock was set ${direction} by ${Math.abs(stepMs)} ms since the start`;
  return `${lagMs} ms${slots} behind the chain${stepMs === 0 ? '' : step}`;
}
