import { SANDWICH_LEGS_MIN } from '../features/wallet-thresholds.ts';
import type { BotRule } from './bot-rule.ts';

export const sandwichPairs: BotRule = {
  name: 'sandwich_pairs',
  what: 'A front and a back leg around somebody else’s trade, the last within 24 h.',
  why: 'It needs control of the order of transactions, which no interface for people gives.',
  holds: ({ sandwichLegs }) => sandwichLegs >= SANDWICH_LEGS_MIN,
  evidence: ({ sandwichLegs }) => [
    { measure: 'sandwich_legs', value: sandwichLegs, threshold: SANDWICH_LEGS_MIN },
  ],
};
