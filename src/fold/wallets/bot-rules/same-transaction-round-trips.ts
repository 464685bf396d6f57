import { ROUND_TRIPS_MIN } from '../features/wallet-thresholds.ts';
import type { BotRule } from './bot-rule.ts';

export const sameTransactionRoundTrips: BotRule = {
  name: 'same_transaction_round_trips',
  what: 'At least two transactions within 24 h each buy a mint and sell it again.',
  why:
    'No user interface sells in the transaction that buys: it is arbitrage or artificial ' +
    'volume.',
  holds: ({ roundTrips }) => roundTrips >= ROUND_TRIPS_MIN,
  evidence: ({ roundTrips }) => [
    { measure: 'round_trips_24h', value: roundTrips, threshold: ROUND_TRIPS_MIN },
  ],
};
