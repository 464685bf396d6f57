import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRecordedTransactions } from '../../src/chain/recorded/recorded-transactions.ts';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { poolMovementOf } from '../../src/decoders/inferred/pool-movement.ts';
import { isVenueProgram } from '../../src/decoders/registry.ts';
import { Tally } from '../../src/decoders/tally.ts';
import { TransactionView } from '../../src/decoders/transaction/transaction-view.ts';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import type { Venue } from '../../src/model/program.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { ChainTransaction } from '../../src/model/transaction.ts';
import type { RawAmount } from '../../src/model/units.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const FOLDERS = ['chain', 'chain-2026'];
/** Curves that are paid in lamports, and pools with one owner per vault: see `poolMovementOf`. */
const UNSEEN: ReadonlySet<Venue> = new Set<Venue>(['pump', 'moonshot', 'boop', 'meteora_damm_v1']);

async function recorded(folder: string): Promise<ChainTransaction[]> {
  const found = new Map<string, ChainTransaction>();
  for await (const item of readRecordedTransactions([resolve(testData, folder)])) {
    if (item.kind === 'problem') continue;
    const transactions = item.kind === 'block' ? item.block.transactions : [item.transaction];
    for (const one of transactions) if (one.error === null) found.set(one.signature, one);
  }
  return [...found.values()];
}

describe.skipIf(!hasTestData)('recorded transactions', () => {
  const transactions = new Map<string, ChainTransaction>();

  beforeAll(async () => {
    for (const folder of FOLDERS) {
      for (const one of await recorded(folder)) transactions.set(one.signature, one);
    }
  });

  const eventsOf = (signature: string): readonly ChainEvent[] => {
    const transaction = transactions.get(signature);
    if (transaction === undefined) throw new Error(`no record of ${signature}`);
    return decodeTransaction(transaction, 0, new Tally()).events;
  };
  const swapsOf = (signature: string) => eventsOf(signature).filter(({ kind }) => kind === 'swap');

  test('of a pool that pays through a vault program are a swap of the pool program', () => {
    // 4.3 takes 220,367 of USD1; below it 4.5 pays 4 USDC to a fee account and 232,092 to the user.
    const signature =
      '2YSZkZzpwNydysAXui9SSRFUvdXRrK9Si9w6CSprCi1nFy65dt2sRS1CVXsBkKiZWmLwbgj1oFMAoCbEFZJXU3v9';
    expect(swapsOf(signature).at(-1)).toMatchObject({
      outerIx: 4,
      innerIx: 3,
      // The only signer.
      trader: transactions.get(signature)?.keys.at(0),
      side: 'sell',
      poolBaseDelta: 220_367n,
      poolQuoteDelta: -232_096n,
      traderQuoteDelta: 232_092n,
    });
  });

  test.each([
    'AoRC9x4MmLY1sP8XTHPW2BHPPhSm6nV7rmTtZtAsw1PtpDcBF8mvUKQDZu8RRfsAxHPJjrFshy8etZRBLAUq5q2',
    'nYanqsYTkaRj5gon4WhbTzkF4P5gK42iXrdmkKQVepjPL8fFccDVYu4MPPkGYPSKhVNMFVdTh56bdGZkQFPWaxC',
  ])('of a maker and a taker are no swap and move no pool: %s', (signature) => {
    expect(swapsOf(signature)).toEqual([]);
    const view = new TransactionView(transactions.get(signature) as never, isVenueProgram);
    expect(poolMovementOf(view, [])).toEqual({ movesPools: false, unexplained: [] });
  });

  test('of a redemption of liquid stake are no swap of the stake pool', () => {
    const signature =
      '3xiEgNo1xXDgxATqa28eAPsCirpz7KRx1fpeuf1RLjPQRPfnGZJfqCUPcQZL3pLVKdBWmDpke4SB2MHutLnxN9g2';
    const at = swapsOf(signature).map(({ outerIx, innerIx }) => `${outerIx}.${innerIx}`);
    // 4.1 burns picoSOL and pays SOL; the swaps are the three hops after it.
    expect(at).toEqual(['4.8', '4.11', '4.14']);
  });

  test('in which a pool pays another wallet than the payer are no inferred swap', () => {
    const signature =
      '2ex9my1v3L6Hm3ev3CcFoBxsi3EZ1DRXVBN17rMiE8aJjmbv8Nvw9VErNc3sJVcjBftXpiL8S6yHabMueiBSj2D7';
    expect(swapsOf(signature)).toEqual([]);
  });

  test('have only swaps whose absence or wrong amount the audit notices', () => {
    const verdicts = [...transactions.values()].flatMap(verdictsOf);
    process.stdout.write(`swaps compared with the audit: ${verdicts.length}\n`);
    expect(verdicts.filter(({ isMissed, isNoticed }) => !isMissed || !isNoticed)).toEqual([]);
    expect(verdicts.length).toBeGreaterThan(600);
  });
});

/** Whether the audit notices a swap that is left out, and one with another amount. */
function verdictsOf(transaction: ChainTransaction) {
  const { events } = decodeTransaction(transaction, 0, new Tally());
  const view = new TransactionView(transaction, isVenueProgram);
  const found = (list: readonly ChainEvent[]) => poolMovementOf(view, list).unexplained.length;
  const before = found(events);
  const swaps = events.filter((event) => event.kind === 'swap' && !UNSEEN.has(event.venue));
  return swaps.map((swap) => ({
    signature: transaction.signature,
    isMissed: found(events.filter((one) => one !== swap)) > before,
    isNoticed: found(events.map((one) => (one === swap ? oneMore(swap as Swap) : one))) > before,
  }));
}

/** One more unit of the base on both sides. */
function oneMore(swap: Swap): Swap {
  const { poolBaseDelta, traderBaseDelta } = swap;
  return {
    ...swap,
    poolBaseDelta: (poolBaseDelta + 1n) as RawAmount,
    traderBaseDelta: (traderBaseDelta + 1n) as RawAmount,
  };
}
