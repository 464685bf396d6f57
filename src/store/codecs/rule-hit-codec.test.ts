import { expect, test } from 'vitest';
import { address, signature } from '../../../tests/support/build-transaction.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import { asPriceE18, asSlot } from '../../model/units.ts';
import { decodeRuleHit, encodeRuleHit } from './rule-hit-codec.ts';

const HIT: RuleHit = {
  rowId: 7,
  author: 'operator',
  name: 'ring',
  version: 2,
  hash: '0123456789abcdef'.repeat(4),
  kind: 'fraud',
  label: null,
  mint: address('mint'),
  pool: address('pool'),
  slot: asSlot(20),
  createdAtMs: 1_000,
  asOfSlot: asSlot(20),
  confidence: 0.75,
  reasons: ['Because.'],
  evidence: [{ name: 'wash_volume.share', value: 0.4 }],
  priceUsd: asPriceE18(5n),
  signalRowId: null,
  wallets: [address('one'), address('mint')],
  signatures: [signature('payment')],
  links: [
    {
      ...{ one: address('one'), other: address('mint'), relationship: 'direct_funding' },
      ...{ strength: 0.75, via: address('funder') },
    },
  ],
};

test('a hit of kind fraud is read as it was written, with its wallets and transactions', () => {
  expect(decodeRuleHit(encodeRuleHit(HIT))).toEqual(HIT);
});

test('a hit that was written before hits had wallets, or links, is read without any', () => {
  const [format, strings, body] = JSON.parse(encodeRuleHit(HIT)) as [string, string[], unknown[]];
  const earlier = (left: number) =>
    decodeRuleHit(JSON.stringify([format, strings, body.slice(0, -left)]));
  expect(earlier(1)).toEqual({ ...HIT, links: [] });
  expect(earlier(3)).toEqual({ ...HIT, wallets: [], signatures: [], links: [] });
});
