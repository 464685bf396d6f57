import type { BehaviourKind } from '../behaviour.ts';
import { settleTraders } from '../trading-life.ts';
import { ORGANIC } from '../wallets.ts';

const DAY_MS = 86_400_000;
/** When the one streak of each begins, and how long it lasts. */
const BEGINS_DAYS = { least: 0, most: 30 } as const;
const LASTS_DAYS = { least: 1, most: 4 } as const;

/**
 * Traders without an edge who trade as skilled ones do, and for a few days once happen to pick
 * what they would pick with one: luck that looks like skill while it lasts.
 */
export const streakTrader: BehaviourKind = {
  name: 'streakTrader',
  label: ORGANIC,
  settle: (context, count) => {
    const { random, world } = context;
    settleTraders(context, streakTrader, count, () => {
      const fromMs = world.nowMs + random.within(BEGINS_DAYS) * DAY_MS;
      const untilMs = fromMs + random.within(LASTS_DAYS) * DAY_MS;
      return (timeMs) => (timeMs >= fromMs && timeMs < untilMs ? 1 : 0);
    });
  },
};
