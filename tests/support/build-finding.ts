import type { Evidence, Finding, InvolvedWallet } from '../../src/model/fraud.ts';
import type { Address, Lamports, RawAmount, Slot } from '../../src/model/units.ts';

/** A finding of three wallets with one item of evidence, strong by default. */
export function aFinding(draft: Partial<Finding> = {}): Finding {
  return {
    fraudType: 'traditional_bundle',
    mint: 'mint' as Address,
    pool: 'pool' as Address,
    bias: -3,
    features: [{ name: 'share', measured: 0.3, ramp: [0.05, 0.25], value: 1, weight: 5 }],
    rawScore: 0.8808,
    confidence: 0.8,
    evidence: [anEvidence()],
    wallets: ['a', 'b', 'c'].map((name) => anInvolvedWallet(name)),
    valueAtRiskUsd: null,
    clusterRoot: 'a' as Address,
    patternStartSlot: 100 as Slot,
    ...draft,
  };
}

export function anInvolvedWallet(
  name: string,
  draft: Partial<InvolvedWallet> = {},
): InvolvedWallet {
  return {
    address: name as Address,
    role: 'bundler',
    tokensAcquiredRaw: 10n as RawAmount,
    spentLamports: 5n as Lamports,
    receivedLamports: 0n as Lamports,
    firstSeenSlot: 100 as Slot,
    labels: [],
    ...draft,
  };
}

export function anEvidence(draft: Partial<Evidence> = {}): Evidence {
  return {
    type: 'suspicious_timing',
    description: 'They bought in one slot.',
    weight: 1,
    payload: { kind: 'timing', timesMs: [1], slots: [100 as Slot], pattern: 'launch_block' },
    ...draft,
  };
}
