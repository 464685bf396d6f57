import type { FeatureRule } from '../scoring/score.ts';

/** Feature rules that early and late bundles share, each with a weight per fraud type. */
export function walletsRule(weight: number): FeatureRule {
  return {
    weight,
    ramp: [3, 10],
    reason: 'More wallets are harder to explain by chance, but easy to make.',
  };
}

export function atomicityRule(weight: number): FeatureRule {
  return {
    weight,
    ramp: null,
    reason: 'One transaction or one shared tip is common control; a shared slot is not.',
  };
}

export function fundingRule(weight: number): FeatureRule {
  return {
    weight,
    ramp: null,
    reason: 'Strangers have no common source of money: the strongest single sign.',
  };
}

export function freshRule(weight: number): FeatureRule {
  return {
    weight,
    ramp: null,
    reason: 'Wallets are made for the purpose, but aged ones can be bought.',
  };
}

export function recidivismRule(weight: number): FeatureRule {
  return {
    weight,
    ramp: [0, 3],
    reason: 'Who bundled three launches before lives by it.',
  };
}
