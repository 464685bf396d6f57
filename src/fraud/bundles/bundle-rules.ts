import { rule } from '../scoring/score.ts';

/** Feature rules that early and late bundles share, each with a weight per fraud type. */
export const walletsRule = (weight: number) =>
  rule(weight, [3, 10], 'More wallets are harder to explain by chance, but easy to make.');
export const atomicityRule = (weight: number) =>
  rule(weight, null, 'One transaction or one shared tip is common control; a shared slot is not.');
export const fundingRule = (weight: number) =>
  rule(weight, null, 'Strangers have no common source of money: the strongest single sign.');
export const freshRule = (weight: number) =>
  rule(weight, null, 'Wallets are made for the purpose, but aged ones can be bought.');
export const recidivismRule = (weight: number) =>
  rule(weight, [0, 3], 'Who bundled three launches before lives by it.');
