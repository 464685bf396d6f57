import { describe, expect, test } from 'vitest';
import type { Venue } from '../../src/model/program.ts';
import { hex } from './borsh-bytes.ts';
import { address, type InstructionDraft } from './build-transaction.ts';
import { PURCHASE, SALE } from './pool-legs.ts';
import {
  accountList,
  BASE_MINT,
  decodeDraft,
  type VaultChanges,
  vaultBalances,
} from './pool-transaction.ts';

/**
 * A swap instruction of a program as it is on the chain, to test its decoder: program, data and
 * account positions are literals from the source.
 */
export interface SwapWitness {
  readonly venue: Venue;
  readonly program: string;
  /** Signature of the recorded transaction, else the public source of the facts. */
  readonly source: string;
  readonly data: string;
  readonly accountCount: number;
  /** By position: `wallet`, `pool`, `base vault`, `quote vault`, `user base`, `user sol`. */
  readonly accounts: Readonly<Record<number, string>>;
}

/** A swap of 40 of the base for 30 of the quote, for any venue. */
export const BOUGHT = {
  kind: 'swap',
  pool: address('pool'),
  baseMint: BASE_MINT,
  trader: address('wallet'),
  side: 'buy',
  poolBaseDelta: -40n,
  poolQuoteDelta: 30n,
  traderBaseDelta: 40n,
  traderQuoteDelta: -30n,
  quarantine: null,
} as const;

/** The decoded result of the witness's instruction with its first `accountCount` accounts. */
export function decodeWitness(
  { program, data, accountCount, accounts }: SwapWitness,
  inner: readonly InstructionDraft[] = PURCHASE.legs,
  changes: VaultChanges = PURCHASE.vaults,
) {
  const instruction = {
    program,
    accounts: accountList(accountCount, accounts),
    data: hex(data),
    inner,
  };
  return decodeDraft({
    instructions: [instruction],
    tokenBalances: vaultBalances(changes),
  });
}

/** Tests for every witness of a program. */
export function describeSwapWitnesses(witnesses: readonly SwapWitness[]): void {
  describe.each(witnesses)('a swap of $venue as in $source', (witness) => {
    test('has the amounts of its vaults and the pool of the instruction', () => {
      expect(decodeWitness(witness).events).toMatchObject([{ ...BOUGHT, venue: witness.venue }]);
    });

    test('is the corresponding sale when the transfers go the other way', () => {
      const { events } = decodeWitness(witness, SALE.legs);
      expect(events).toMatchObject([
        { side: 'sell', pool: BOUGHT.pool, poolBaseDelta: 40n, poolQuoteDelta: -30n },
      ]);
    });

    test('is ignored when nothing moved', () => {
      const { events, problems } = decodeWitness(witness, []);
      expect([events, problems]).toEqual([[], []]);
    });
  });
}
