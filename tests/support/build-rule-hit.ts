import type { RuleHitListing } from '../../src/model/rule-listing.ts';
import { asPriceE18, asSlot } from '../../src/model/units.ts';
import { address } from './build-transaction.ts';

/** A hit of a rule of the account of READ_KEY, of kind alert unless given. */
export function buildRuleHit(given: Partial<RuleHitListing> = {}): RuleHitListing {
  return {
    rowId: 1,
    author: 'account of reader',
    name: 'dip',
    version: 1,
    hash: '0123456789abcdef'.repeat(4),
    kind: 'alert',
    label: null,
    mint: address('mint'),
    pool: address('pool'),
    slot: asSlot(20),
    createdAtMs: 1_200_000,
    asOfSlot: asSlot(19),
    confidence: 0.75,
    reasons: ['Organic wallets bought most.'],
    evidence: [{ name: 'window.return_5m', value: -0.25 }],
    priceUsd: asPriceE18(2_500_000_000_000_000_000n),
    signalRowId: null,
    wallets: [],
    signatures: [],
    links: [],
    outcome: null,
    ...given,
  };
}
