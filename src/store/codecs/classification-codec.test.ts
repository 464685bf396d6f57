import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildClassification } from '../../../tests/support/build-classification.ts';
import { buildToken } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import type { EvidencePayload, InvolvedWallet, ScoredFeature } from '../../model/fraud.ts';
import { asLamports, asRawAmount, asSlot, asUsdNano } from '../../model/units.ts';
import { decodeClassification, encodeClassification } from './classification-codec.ts';
import { encodeTokenRecord } from './record-codec.ts';

/** Plain objects, as the engine creates them: generated ones have no prototype. */
const plainRecord = <T>(members: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) =>
  fc.record<T>(members, { noNullPrototype: true });

/** Any text, including quotes, line breaks and lone surrogates. */
const text = fc.string({ unit: 'binary' });
/** Not checked: any text must come back. */
const addressText = text.map((value) => value as never);
const amount = fc.bigInt(-(2n ** 140n), 2n ** 140n);
const slot = fc.nat().map((value) => asSlot(value));
const float = fc.double();

const payload: fc.Arbitrary<EvidencePayload> = fc.oneof(
  plainRecord({
    kind: fc.constant('transaction' as const),
    signatures: fc.array(text) as fc.Arbitrary<never[]>,
    slot,
    wallets: fc.array(text) as fc.Arbitrary<never[]>,
    lamports: amount.map(asLamports),
    usd: fc.option(amount.map(asUsdNano)),
    isBundled: fc.boolean(),
  }),
  plainRecord({
    kind: fc.constant('supply_distribution' as const),
    topHolders: fc.array(
      plainRecord({
        wallet: addressText,
        share: float,
        isSuspicious: fc.boolean(),
      }),
    ),
    suspiciousShare: float,
    gini: float,
  }),
);

const feature: fc.Arbitrary<ScoredFeature> = plainRecord({
  name: text,
  measured: fc.option(float),
  ramp: fc.option(fc.constant([0.25, 0.1] as const)),
  value: float,
  weight: float,
});

const wallet: fc.Arbitrary<InvolvedWallet> = plainRecord({
  address: addressText,
  role: fc.constantFrom('attacker' as const, 'unknown' as const),
  tokensAcquiredRaw: amount.map(asRawAmount),
  spentLamports: amount.map(asLamports),
  receivedLamports: amount.map(asLamports),
  firstSeenSlot: slot,
  labels: fc.array(text),
});

describe('classifications as text', () => {
  test('are decoded as they were, with one evidence of every kind', () => {
    const classification = buildClassification();
    expect(decodeClassification(encodeClassification(classification))).toStrictEqual(
      classification,
    );
  });

  test('are decoded as they were, with any amount, number and text', () => {
    const described = plainRecord({
      type: fc.constant('wallet_cluster' as const),
      description: text,
      weight: float,
      payload,
    });
    fc.assert(
      fc.property(
        fc.array(described),
        fc.array(feature),
        fc.array(wallet),
        fc.option(amount.map(asUsdNano)),
        (evidence, features, wallets, valueAtRiskUsd) => {
          const finding = { evidence, features, wallets, valueAtRiskUsd, pool: null };
          const classification = buildClassification({ detectionSlot: null, finding });
          expect(decodeClassification(encodeClassification(classification))).toStrictEqual(
            classification,
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  test('are not decoded as other records', () => {
    const token = encodeTokenRecord(buildToken(address('mint')));
    expect(() => decodeClassification(token)).toThrow('has the format token/1');
  });
});
