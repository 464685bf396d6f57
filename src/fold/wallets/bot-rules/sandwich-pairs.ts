import { SANDWICH_LEGS_MIN } from '../features/wallet-thresholds.ts';
import type { BotRule } from './bot-rule.ts';

export const sandwichPairs: BotRule = {
  name: 'sandwich_pairs',
  what: "A purchase before and a sale after another wallet's trade; the latest within 24 h.",
  why: 'It needs control over the order of transactions, which no user interface offers.',
  holds: ({ sandwichLegs }) => sandwichLegs >= SANDWICH_LEGS_MIN,
  evidence: ({ sandwichLegs }) => [
    { measure: 'sandwich_legs', value: sandwichLegs, threshold: SANDWICH_LEGS_MIN },
  ],
};
