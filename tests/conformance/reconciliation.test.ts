import { beforeAll, describe, expect, test } from 'vitest';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import { SPL_TOKEN_PROGRAM } from '../../src/model/program.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { ChainTransaction, TokenBalance } from '../../src/model/transaction.ts';
import { copyTransaction } from '../support/copy-transaction.ts';
import { recordedTransactions } from '../support/recorded-by-program.ts';
import { hasTestData } from '../support/test-data.ts';

/** The effect of one more unit in a vault of a recorded swap. */
interface Tampering {
  readonly signature: string;
  readonly program: string;
  readonly quarantine: string | null;
  readonly problems: readonly string[];
}

describe.skipIf(!hasTestData)('a recorded swap whose vault ends with one more unit', () => {
  let tamperings: readonly Tampering[];

  beforeAll(async () => {
    const recorded = await recordedTransactions(SPL_TOKEN_PROGRAM);
    tamperings = recorded.flatMap(tamperingsOf);
  });

  test('is quarantined, at every venue', () => {
    const accepted = tamperings.filter(({ quarantine }) => quarantine === null);
    // Token-2022 withholds a transfer fee from transfers into this pool and does not state it: the
    // fee is the amount that did not arrive, so one more unit means one unit less of fee.
    expect([...new Set(accepted.map(({ signature }) => signature))]).toEqual([
      '2bhr1FWqeL28zH1BJR1h3PxkVorh5GD3koPUgzKMKFtxUKK5k3R3UraU8YRoB5yxKDi5AZafp3Xf74AXTf9LDqWc',
    ]);
    expect(new Set(tamperings.map(({ program }) => program)).size).toBe(29);
    expect(tamperings.length).toBe(620);
  });

  test('is counted and listed with the reason', () => {
    for (const { program, quarantine, problems } of tamperings) {
      if (quarantine !== null) expect(problems).toContain(`${program}: ${quarantine}`);
    }
  });
});

function tamperingsOf(transaction: ChainTransaction): Tampering[] {
  return swapsOf(transaction, new Tally()).flatMap((swap, place) =>
    transaction.tokenBalances
      .filter((balance) => isVaultOf(swap, balance))
      .map((vault): Tampering => {
        const tally = new Tally();
        const { quarantine = null } = swapsOf(withOneMore(transaction, vault), tally)[place] ?? {};
        const problems = tally.problems.map(({ program, reason }) => `${program}: ${reason}`);
        return { signature: transaction.signature, program: swap.venue, quarantine, problems };
      }),
  );
}

/** Whether a vault's change equals the amount of the swap, so that no other swap moved it. */
function isVaultOf(swap: Swap, { mint, before, after }: TokenBalance): boolean {
  const change = after - before;
  return (
    (mint === swap.baseMint && change === swap.poolBaseDelta) ||
    (mint === swap.quoteMint && change === swap.poolQuoteDelta)
  );
}

function withOneMore(transaction: ChainTransaction, vault: TokenBalance): ChainTransaction {
  const tokenBalances = transaction.tokenBalances.map((balance) =>
    balance === vault ? { ...balance, after: balance.after + 1n } : balance,
  );
  return copyTransaction(transaction, { tokenBalances });
}

function swapsOf(transaction: ChainTransaction, tally: Tally): Swap[] {
  const { events } = decodeTransaction(transaction, 0, tally);
  return events.flatMap((event) => (event.kind === 'swap' ? [event] : []));
}
