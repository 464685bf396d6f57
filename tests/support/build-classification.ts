import type { Classification, Finding } from '../../src/model/fraud.ts';
import type { Lamports, RawAmount, Slot, UsdNano } from '../../src/model/units.ts';
import { address, signature } from './build-transaction.ts';

/** When the findings of tests were first found. */
export const FOUND_MS = Date.UTC(2025, 0, 15, 14, 32, 8);

/**
 * A launch bundle of 310 tokens for 2.5 SOL: σ(−1 + 2.2 · 1 + 2 · 0.3) = σ(1.8) = 0.8581, with one
 * kind of evidence for each payload.
 */
export function buildFinding(given: Partial<Finding> = {}): Finding {
  return {
    fraudType: 'traditional_bundle',
    mint: address('mint'),
    pool: address('pool'),
    bias: -1,
    features: [
      { name: 'share', measured: 0.31, ramp: [0.05, 0.25], value: 1, weight: 2.2 },
      { name: 'atomicity', measured: 0.3, ramp: null, value: 0.3, weight: 2 },
      { name: 'funding', measured: null, ramp: [0, 1], value: 0, weight: 2.5 },
    ],
    rawScore: 1 / (1 + Math.exp(-1.8)),
    confidence: 0.8581,
    evidence: [
      {
        type: 'bundled_transaction',
        description: 'Two wallets bought 31 % of the supply in one bundle.',
        weight: 0.5,
        payload: {
          kind: 'transaction',
          signatures: [signature('first'), signature('second')],
          slot: 1_000 as Slot,
          wallets: [address('buyer'), address('creator')],
          lamports: 2_500_000_000n as Lamports,
          usd: 500_000_000_000n as UsdNano,
          isBundled: true,
        },
      },
      {
        type: 'common_funding',
        description: 'The creator paid the buyer.',
        weight: 0.2857,
        payload: {
          kind: 'wallet_relation',
          sourceWallet: address('creator'),
          relatedWallets: [address('buyer')],
          relationship: 'direct_funding',
          strength: 0.9,
        },
      },
      {
        type: 'supply_concentration',
        description: 'Three wallets hold 45.678 % of the supply.',
        weight: 0.1143,
        payload: {
          kind: 'supply_distribution',
          topHolders: [
            { wallet: address('buyer'), share: 0.31, isSuspicious: true },
            { wallet: address('stranger'), share: 0.003, isSuspicious: false },
          ],
          suspiciousShare: 0.45678,
          gini: 0.75,
        },
      },
      {
        type: 'suspicious_timing',
        description: 'They bought within a second of the launch.',
        weight: 0.1,
        payload: {
          kind: 'timing',
          timesMs: [FOUND_MS, FOUND_MS + 400, FOUND_MS + 1_000],
          slots: [1_000 as Slot, 1_001 as Slot, 1_002 as Slot],
          pattern: 'launch_block',
        },
      },
    ],
    wallets: [
      {
        address: address('creator'),
        role: 'attacker',
        tokensAcquiredRaw: 0n as RawAmount,
        spentLamports: 1n as Lamports,
        receivedLamports: 3_000_000_000n as Lamports,
        firstSeenSlot: 999 as Slot,
        labels: ['creator'],
      },
      {
        address: address('buyer'),
        role: 'bundler',
        tokensAcquiredRaw: 310_000_000n as RawAmount,
        spentLamports: 2_500_000_000n as Lamports,
        receivedLamports: 0n as Lamports,
        firstSeenSlot: 1_000 as Slot,
        labels: [],
      },
    ],
    valueAtRiskUsd: 6_622_004_999_999n as UsdNano,
    clusterRoot: address('creator'),
    patternStartSlot: 1_000 as Slot,
    ...given,
  };
}

/** Ids of classifications in the order of their numbers. */
export function classificationId(number: number): string {
  return `00000000-0000-5000-8000-${String(number).padStart(12, '0')}`;
}

export function buildClassification(
  given: Partial<Omit<Classification, 'finding'>> & { readonly finding?: Partial<Finding> } = {},
): Classification {
  const { finding, ...rest } = given;
  return {
    id: classificationId(1),
    finding: buildFinding(finding),
    decimals: 6,
    state: 'active',
    detectionSlot: 1_003 as Slot,
    slot: 1_010 as Slot,
    updatedMs: FOUND_MS + 5_000,
    createdMs: FOUND_MS,
    collectedMs: [FOUND_MS, FOUND_MS + 1, FOUND_MS + 2, FOUND_MS + 3],
    calibrationVersion: 1,
    ...rest,
  };
}
