import { payIn, payOut, type VaultChanges } from './pool-transaction.ts';

/** The transfers between `wallet` and a pool's two vaults, and the changes of the vaults by them. */
export const BUY_LEGS = [
  payIn('user sol', 'quote vault', 30n),
  payOut('base vault', 'user base', 40n),
];
export const AFTER_BUY: VaultChanges = { base: [100n, 60n], quote: [100n, 130n] };

export const SALE_LEGS = [
  payIn('user base', 'base vault', 40n),
  payOut('quote vault', 'user sol', 30n),
];
export const AFTER_SALE: VaultChanges = { base: [100n, 140n], quote: [100n, 70n] };

export const DEPOSIT_LEGS = [
  payIn('user base', 'base vault', 10n),
  payIn('user sol', 'quote vault', 20n),
];
export const AFTER_DEPOSIT: VaultChanges = { base: [100n, 110n], quote: [200n, 220n] };

export const WITHDRAWAL_LEGS = [
  payOut('base vault', 'user base', 10n),
  payOut('quote vault', 'user sol', 20n),
];
export const AFTER_WITHDRAWAL: VaultChanges = { base: [110n, 100n], quote: [220n, 200n] };
