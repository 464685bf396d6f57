import { SWAPS_10M_MIN, SWAPS_24H_MIN } from '../features/wallet-thresholds.ts';
import type { BotRule } from './bot-rule.ts';

export const swapRate: BotRule = {
  name: 'swap_rate',
  what: 'At least 500 swaps within 24 h, or 60 within ten minutes.',
  why: 'A swap every two minutes all day, or every ten seconds, is not made by hand.',
  holds: ({ swaps24h, swaps10m }) => swaps24h >= SWAPS_24H_MIN || swaps10m >= SWAPS_10M_MIN,
  evidence: ({ swaps24h, swaps10m }) => [
    { measure: 'swaps_24h', value: swaps24h, threshold: SWAPS_24H_MIN },
    { measure: 'swaps_10m', value: swaps10m, threshold: SWAPS_10M_MIN },
  ],
};
