import { SAME_SLOT_PAIRS_MIN } from '../features/wallet-thresholds.ts';
import type { BotRule } from './bot-rule.ts';

export const sameSlotPairs: BotRule = {
  name: 'same_slot_pairs',
  what:
    'Five times within 24 h a mint was bought and sold in the same slot by two ' + 'transactions.',
  why: 'A slot takes 400 ms: a person cannot repeatedly sign and land two transactions in ' + 'it.',
  holds: (features) => features.sameSlotPairs >= SAME_SLOT_PAIRS_MIN,
  evidence: (features) => [
    {
      measure: 'same_slot_pairs_24h',
      value: features.sameSlotPairs,
      threshold: SAME_SLOT_PAIRS_MIN,
    },
  ],
};
