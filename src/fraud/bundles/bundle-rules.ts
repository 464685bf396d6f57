import { rule } from '../scoring/score.ts';

/** Feature rules that early and late bundles share, each with a weight per fraud type. */
export const walletsRule = (weight: number) =>
  rule(weight, [3, 10], 'More wallets are less likely by chance, but easy to create.');
export const atomicityRule = (weight: number) =>
  rule(
    weight,
    null,
    'One transaction or one shared tip proves common control; a shared slot does not.',
  );
export const fundingRule = (weight: number) =>
  rule(weight, null, 'Unrelated wallets have no common funder: the strongest single sign.');
export const freshRule = (weight: number) =>
  rule(weight, null, 'Wallets are often created for the purpose, but older ones can be bought.');
export const recidivismRule = (weight: number) =>
  rule(
    weight,
    [0, 3],
    'A creator, a funder or the same wallets with three earlier bundled launches do it again.',
  );
