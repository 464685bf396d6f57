import type { InstructionDraft } from './build-transaction.ts';
import { payIn, payOut, type VaultChanges } from './pool-transaction.ts';

/** The transfers between `wallet` and a pool's two vaults, and the changes of the vaults by them. */
interface PoolExchange {
  readonly legs: readonly InstructionDraft[];
  readonly vaults: VaultChanges;
}

export const PURCHASE: PoolExchange = {
  legs: [payIn('user sol', 'quote vault', 30n), payOut('base vault', 'user base', 40n)],
  vaults: { base: [100n, 60n], quote: [100n, 130n] },
};

export const SALE: PoolExchange = {
  legs: [payIn('user base', 'base vault', 40n), payOut('quote vault', 'user sol', 30n)],
  vaults: { base: [100n, 140n], quote: [100n, 70n] },
};

export const DEPOSIT: PoolExchange = {
  legs: [payIn('user base', 'base vault', 10n), payIn('user sol', 'quote vault', 20n)],
  vaults: { base: [100n, 110n], quote: [200n, 220n] },
};

export const WITHDRAWAL: PoolExchange = {
  legs: [payOut('base vault', 'user base', 10n), payOut('quote vault', 'user sol', 20n)],
  vaults: { base: [110n, 100n], quote: [220n, 200n] },
};
