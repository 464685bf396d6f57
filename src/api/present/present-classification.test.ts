import { describe, expect, test } from 'vitest';
import {
  buildClassification,
  buildFinding,
  classificationId,
} from '../../../tests/support/build-classification.ts';
import { address, signature } from '../../../tests/support/build-transaction.ts';
import { asLamports, asRawAmount, asSlot } from '../../model/units.ts';
import { presentCheck, presentClassification, presentDetail } from './present-classification.ts';

const [buyer, creator, stranger] = ['buyer', 'creator', 'stranger'].map(address);
const present = (given: Parameters<typeof buildClassification>[0] = {}) =>
  presentClassification({ classification: buildClassification(given), status: 'active' });

/** uuid5 of Python's uuid module over 00000000-0000-5000-8000-000000000001 and these names. */
const EVIDENCE_IDS = {
  'bundled_transaction/0': 'fea03b40-94f7-5ae5-b99f-568304d61cdf',
  'common_funding/0': 'b4d57caf-3160-5e02-afc9-64612a26014e',
  'supply_concentration/0': 'ee68de08-fc76-5be1-934a-b4558af43be6',
  'suspicious_timing/0': 'b85fc098-251c-57d6-86ab-ac3cce1feff5',
} as const;

describe('a classification on the wire', () => {
  test('matches the specification, key by key', () => {
    // Written by hand from specification 2.7 and the amounts of the finding.
    expect(JSON.stringify(present(), null, 1)).toBe(
      JSON.stringify(
        {
          id: '00000000-0000-5000-8000-000000000001',
          token_address: address('mint'),
          pair_address: address('pool'),
          fraud_type: 'traditional_bundle',
          confidence_score: 0.8581,
          confidence_level: 'high',
          evidence: [
            {
              id: EVIDENCE_IDS['bundled_transaction/0'],
              evidence_type: 'bundled_transaction',
              description: 'Two wallets bought 31 % of the supply in one bundle.',
              weight: 0.5,
              data: {
                type: 'transaction',
                payload: {
                  signatures: [signature('first'), signature('second')],
                  slot: 1000,
                  wallets: [buyer, creator],
                  total_value: '2.500000000',
                  total_value_sol: '2.500000000',
                  total_value_usd: '500.00',
                  is_bundled: true,
                },
              },
              collected_at: '2025-01-15T14:32:08.000Z',
            },
            {
              id: EVIDENCE_IDS['common_funding/0'],
              evidence_type: 'common_funding',
              description: 'The creator paid the buyer.',
              weight: 0.2857,
              data: {
                type: 'wallet_relation',
                payload: {
                  source_wallet: creator,
                  related_wallets: [buyer],
                  relationship: 'direct_funding',
                  strength: 0.9,
                },
              },
              collected_at: '2025-01-15T14:32:08.001Z',
            },
            {
              id: EVIDENCE_IDS['supply_concentration/0'],
              evidence_type: 'supply_concentration',
              description: 'Three wallets hold 45.678 % of the supply.',
              weight: 0.1143,
              data: {
                type: 'supply_distribution',
                payload: {
                  token_address: address('mint'),
                  top_holders: [
                    { wallet: buyer, percentage: '31.00', is_suspicious: true },
                    { wallet: stranger, percentage: '0.30', is_suspicious: false },
                  ],
                  suspicious_percentage: '45.68',
                  gini_coefficient: 0.75,
                },
              },
              collected_at: '2025-01-15T14:32:08.002Z',
            },
            {
              id: EVIDENCE_IDS['suspicious_timing/0'],
              evidence_type: 'suspicious_timing',
              description: 'They bought within a second of the launch.',
              weight: 0.1,
              data: {
                type: 'timing',
                payload: {
                  timestamps: [
                    '2025-01-15T14:32:08.000Z',
                    '2025-01-15T14:32:08.400Z',
                    '2025-01-15T14:32:09.000Z',
                  ],
                  slots: [1000, 1001, 1002],
                  time_deltas_ms: [400, 600],
                  pattern: 'launch_block',
                },
              },
              collected_at: '2025-01-15T14:32:08.003Z',
            },
          ],
          involved_wallets: [
            {
              address: creator,
              role: 'attacker',
              tokens_acquired: '0.000000',
              sol_amount: '3.000000000',
              first_seen_slot: 999,
              labels: ['creator'],
            },
            {
              address: buyer,
              role: 'bundler',
              tokens_acquired: '310.000000',
              sol_amount: '2.500000000',
              first_seen_slot: 1000,
              labels: [],
            },
          ],
          estimated_value_at_risk: '6622.00',
          detection_slot: 1003,
          pattern_start_slot: 1000,
          created_at: '2025-01-15T14:32:08.000Z',
          updated_at: '2025-01-15T14:32:13.000Z',
          status: 'active',
        },
        null,
        1,
      ),
    );
  });

  test.each([
    [1, 'critical'],
    [0.9, 'critical'],
    [0.8999, 'high'],
    [0.7, 'high'],
    [0.6999, 'medium'],
    [0.5, 'medium'],
    [0.4999, 'low'],
    [0, 'low'],
  ])('is, with a confidence of %d, %s', (confidence, level) => {
    expect(present({ finding: { confidence } }).confidence_level).toBe(level);
  });

  test('has no pool while none is known, and no value at risk while no price is known', () => {
    const unknown = present({ detectionSlot: null, finding: { pool: null, valueAtRiskUsd: null } });
    expect(unknown).toMatchObject({
      pair_address: null,
      estimated_value_at_risk: '0',
      detection_slot: null,
    });
  });

  test('keeps evidence IDs while evidence grows, and has distinct IDs for the same type', () => {
    const [first, ...others] = buildFinding().evidence;
    if (first === undefined) throw new Error('no evidence');
    const grown = present({ finding: { evidence: [{ ...first, weight: 0.9 }, ...others, first] } });
    const ids = grown.evidence.map(({ id }) => id);
    expect(ids.slice(0, 4)).toEqual(Object.values(EVIDENCE_IDS));
    expect(new Set(ids).size).toBe(5);
    const elsewhere = present({ id: classificationId(2) }).evidence.map(({ id }) => id);
    expect(elsewhere.filter((id) => ids.includes(id))).toEqual([]);
  });

  test('keeps amounts beyond double precision, and tokens with zero or many decimals', () => {
    const [wallet] = buildFinding().wallets;
    if (wallet === undefined) throw new Error('no wallet');
    const wallets = [
      {
        ...wallet,
        tokensAcquiredRaw: asRawAmount(2n ** 64n - 1n),
        spentLamports: asLamports(2n ** 63n + 1n),
        receivedLamports: asLamports(2n ** 63n),
      },
    ];
    const walletOf = (decimals: number) =>
      present({ decimals, finding: { wallets } }).involved_wallets[0];
    expect(walletOf(0)).toMatchObject({
      tokens_acquired: '18446744073709551615',
      sol_amount: '9223372036.854775809',
    });
    expect(walletOf(18)?.tokens_acquired).toBe('18.446744073709551615');
  });
});

describe('a fraud check on the wire', () => {
  const judged = (confidence: number) => ({
    classification: buildClassification({ finding: { confidence } }),
    status: 'active' as const,
  });

  test('has zero risk and no classifications when nothing is reported', () => {
    expect(JSON.stringify(presentCheck(address('mint'), []))).toBe(
      `{"token_address":"${address('mint')}","is_fraudulent":false,"risk_score":0,` +
        '"classification_count":0,"classifications":[]}',
    );
  });

  // As doubles times a hundred, 0.565 and 0.845 are below the half.
  test.each([
    [0.8581, 86],
    [0.565, 57],
    [0.845, 85],
    [0.9949, 99],
    [0.5, 50],
    [1, 100],
  ])('maps a confidence of %d to a risk of %i', (confidence, risk) => {
    expect(presentCheck(address('mint'), [judged(confidence)]).risk_score).toBe(risk);
  });

  test('uses the highest of several confidences', () => {
    expect(presentCheck(address('mint'), [judged(0.91), judged(0.6)])).toMatchObject({
      is_fraudulent: true,
      risk_score: 91,
      classification_count: 2,
    });
  });
});

describe('the detail of a classification', () => {
  test('has the inputs of its score and its reviews', () => {
    const detail = presentDetail({
      classification: buildClassification({ slot: asSlot(1_010) }),
      status: 'reviewed',
      confidencesWithout: [0.4013, null, 0.8581],
      reviews: [
        {
          from: 'active',
          to: 'reviewed',
          accountId: 'default',
          keyId: 'k1',
          note: null,
          atMs: Date.UTC(2025, 0, 16),
        },
      ],
    });
    const { slot, bias, raw_score, calibration_version, features, review, status } = detail;
    expect({ slot, bias, raw_score, calibration_version, features, review, status }).toEqual({
      slot: 1_010,
      bias: -1,
      // σ(1.8)
      raw_score: expect.closeTo(0.858148935, 9),
      calibration_version: 1,
      features: [
        {
          name: 'share',
          measured: 0.31,
          threshold: [0.05, 0.25],
          value: 1,
          weight: 2.2,
          contribution: 2.2,
          confidence_without: 0.4013,
        },
        {
          name: 'atomicity',
          measured: 0.3,
          threshold: null,
          value: 0.3,
          weight: 2,
          contribution: 0.6,
          confidence_without: null,
        },
        {
          name: 'funding',
          measured: null,
          threshold: [0, 1],
          value: 0,
          weight: 2.5,
          contribution: 0,
          confidence_without: 0.8581,
        },
      ],
      review: [
        {
          from: 'active',
          to: 'reviewed',
          account_id: 'default',
          key_id: 'k1',
          note: null,
          at: '2025-01-16T00:00:00.000Z',
        },
      ],
      status: 'reviewed',
    });
  });
});
