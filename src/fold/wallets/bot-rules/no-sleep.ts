import { ACTIVE_HOURS_MIN, SWAPS_PER_DAY_MIN } from '../features/wallet-thresholds.ts';
import type { BotRule } from './bot-rule.ts';

export const noSleep: BotRule = {
  name: 'no_sleep',
  what: 'Active in 23 of 24 hours on each of two days in a row, with at least 50 swaps a day.',
  why: 'People sleep. With fewer swaps the hours of activity would not be known.',
  holds: ({ swapsToday, swapsYesterday, hoursToday, hoursYesterday }) =>
    Math.min(swapsToday, swapsYesterday) >= SWAPS_PER_DAY_MIN &&
    Math.min(hoursToday, hoursYesterday) >= ACTIVE_HOURS_MIN,
  evidence: ({ swapsToday, swapsYesterday, hoursToday, hoursYesterday }) => [
    { measure: 'active_hours_today', value: hoursToday, threshold: ACTIVE_HOURS_MIN },
    { measure: 'active_hours_yesterday', value: hoursYesterday, threshold: ACTIVE_HOURS_MIN },
    { measure: 'swaps_today', value: swapsToday, threshold: SWAPS_PER_DAY_MIN },
    { measure: 'swaps_yesterday', value: swapsYesterday, threshold: SWAPS_PER_DAY_MIN },
  ],
};
