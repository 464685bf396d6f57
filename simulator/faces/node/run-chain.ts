import { type Clock, monotonicClock } from '../../../src/lib/clock.ts';

/** A chain that advances slot by slot. */
export interface PacedChain {
  /** Milliseconds of the chain's own time. */
  readonly chainTimeMs: number;
  advance(): void;
}

/**
 * Advances slots until the signal: `pace` seconds of the chain per second, or without pause for
 * Infinity. A chain that fell behind catches up.
 */
export async function runChain(
  chain: PacedChain,
  pace: number,
  signal: AbortSignal,
  clock: Clock = monotonicClock,
): Promise<void> {
  const startMs = clock.nowMs();
  const chainStartMs = chain.chainTimeMs;
  while (!signal.aborted) {
    chain.advance();
    const passedMs = (chain.chainTimeMs - chainStartMs) / pace;
    await clock.sleep(startMs + passedMs - clock.nowMs(), signal);
  }
}
