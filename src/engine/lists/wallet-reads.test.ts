import { describe, expect, test } from 'vitest';
import { transactionFacts } from '../../../tests/support/build-facts.ts';
import { address, signature } from '../../../tests/support/build-transaction.ts';
import {
  createTrader,
  f1,
  fold,
  launch,
  mint,
  pool,
  SOL,
  second,
} from '../../../tests/support/master-fixture.ts';
import { asLamports } from '../../model/units.ts';

const [ann, bob, cid] = [address('ann'), address('bob'), address('cid')];

const paid = (from: string, to: string, sol: bigint) =>
  transactionFacts({
    txIndex: 0,
    signature: signature(`${from} to ${to} ${sol}`),
    signers: [address(from)],
    events: [
      {
        ...{ kind: 'solTransfer', transferKind: 'transfer', outerIx: 0, innerIx: -1 },
        ...{ from: address(from), to: address(to), lamports: asLamports(sol * SOL) },
      },
    ],
  });

describe('lists of a wallet', () => {
  const trade = createTrader();
  const { engine } = fold([
    second(0, launch()),
    second(1, paid('ann', 'bob', 5n)),
    second(2, paid('ann', 'bob', 6n)),
    second(3, paid('cid', 'bob', 7n)),
    second(4, paid('bob', 'cid', 1n)),
    second(10, trade('bob', 'buy', SOL, 1_000_000n)),
  ]);
  const reads = engine.walletReads;

  test('have a link for each wallet that paid it or was paid, with the transactions', () => {
    const links = reads.recordedLinks(bob).map(({ wallet, kind, strength, transactions }) => ({
      ...{ wallet, kind, strength },
      paid: transactions.map(({ slot, signature: name, lamports }) => [slot, name, lamports]),
    }));
    expect(links).toEqual([
      {
        // Two of the three payments to bob.
        ...{ wallet: ann, kind: 'funded_by', strength: 2 / 3 },
        paid: [
          [1_001, signature('ann to bob 5'), 5n * SOL],
          [1_002, signature('ann to bob 6'), 6n * SOL],
        ],
      },
      {
        ...{ wallet: cid, kind: 'funded_by', strength: 1 / 3 },
        paid: [[1_003, signature('cid to bob 7'), 7n * SOL]],
      },
      {
        ...{ wallet: cid, kind: 'funded', strength: 1 },
        paid: [[1_004, signature('bob to cid 1'), SOL]],
      },
    ]);
    expect(reads.recordedLinks(address('nobody'))).toEqual([]);
  });

  test('have a page of positions, those with tokens alone when asked', () => {
    const { engine: market } = fold(f1());
    const page = (name: string, isOpen: boolean) =>
      market.walletReads.positions({ wallet: address(name), isOpen, before: null, limit: 5 });
    const [position] = page('A', true).positions;
    expect(position).toEqual(market.wallet(address('A'))?.positions[0]);
    // B sold everything.
    expect(page('B', false).positions).toHaveLength(1);
    expect(page('B', true)).toEqual({ positions: [], next: null });
    expect(page('nobody', false)).toEqual({ positions: [], next: null });
  });

  test('name the pools of a mint', () => {
    expect(reads.poolsOf(mint)).toEqual([pool]);
    expect(reads.poolsOf(address('other'))).toEqual([]);
  });
});
