import type { BehaviourKind } from '../behaviour.ts';
import { settleTraders } from '../trading-life.ts';
import { ORGANIC } from '../wallets.ts';

const DAY_MS = 86_400_000;
/** Days after which the edge is gone. */
const FADED_DAYS = { least: 8, most: 24 } as const;

/**
 * Traders who begin with the edge of a skilled one and lose it over weeks, as the market learns
 * what they know: their past says more than their future.
 */
export const fadingTrader: BehaviourKind = {
  name: 'fadingTrader',
  label: ORGANIC,
  settle: (context, count) => {
    const startMs = context.world.nowMs;
    settleTraders(context, fadingTrader, count, () => {
      const fadedMs = context.random.within(FADED_DAYS) * DAY_MS;
      return (timeMs) => Math.max(0, 1 - (timeMs - startMs) / fadedMs);
    });
  },
};
