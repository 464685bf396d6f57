import { expect, test } from 'vitest';
import type { FindingGraph } from '../token-types.ts';
import { collectorOf, paidWallets, totalsOf } from './paid-wallets.ts';

const node = (
  address: string,
  spent: string | null,
  received: string | null,
): FindingGraph['nodes'][number] => ({
  address,
  role: 'bundler',
  class: null,
  tokens_acquired: '1',
  sol_spent: spent,
  sol_received: received,
  labels: [],
});

const payment = (from: string, to: string, sol: string): FindingGraph['edges'][number] => ({
  from,
  to,
  kind: 'payment',
  sol_amount: sol,
  token_amount: null,
  slot: 1,
  signature: 's',
});

const graph = {
  nodes: [
    node('loser', '2', '0.5'),
    node('winner', '0.1', '0.3'),
    node('unknown', null, null),
    { ...node('pool', null, null), role: null },
  ],
  edges: [
    payment('loser', 'winner', '0.1'),
    payment('pool', 'winner', '0.2'),
    { ...payment('winner', 'loser', '9'), kind: 'buy' as const },
  ],
};

test('gains are exact, and addresses without a part are left out', () => {
  const wallets = paidWallets(graph);
  expect(wallets.map(({ address, net }) => [address, net])).toEqual([
    ['winner', '0.2'],
    ['unknown', null],
    ['loser', '-1.5'],
  ]);
});

test('the wallet with whom the money ended is first, though it sold nothing itself', () => {
  const passedOn = paidWallets({
    nodes: [node('seller', '1', '6'), node('collector', '0', '0'), node('unknown', null, null)],
    edges: [payment('seller', 'collector', '4.9'), payment('collector', 'exchange', '0.4')],
  });
  // 6 - 1 - 4.9 stays with the seller; what leaves the wallets was the collector's to spend.
  expect(passedOn.map(({ address, kept }) => [address, kept])).toEqual([
    ['collector', '4.9'],
    ['seller', '0.1'],
    ['unknown', null],
  ]);
  expect(totalsOf(passedOn).gainers.map(({ address }) => address)).toEqual(['seller']);
});

test('payments are summed for both ends, trades are no payments', () => {
  const [winner, , loser] = paidWallets(graph);
  expect([winner?.paidIn, winner?.paidOut]).toEqual(['0.3', null]);
  expect([loser?.paidIn, loser?.paidOut]).toEqual([null, '0.1']);
});

test('totals leave out what is not known', () => {
  const { spent, received, gainers } = totalsOf(paidWallets(graph));
  expect([spent, received]).toEqual(['2.1', '0.8']);
  expect(gainers.map(({ address }) => address)).toEqual(['winner']);
});

test('the collector is whom the sellers with a gain paid after they had sold, not before', () => {
  const sale = (from: string, slot: number) => ({
    ...payment(from, 'pool', '3'),
    kind: 'sell' as const,
    slot,
  });
  const paid = (from: string, to: string, sol: string, slot: number) => ({
    ...payment(from, to, sol),
    slot,
  });
  const nodes = ['one', 'two', 'collector', 'funder', 'loser'].map((address) =>
    node(address, '1', address === 'one' || address === 'two' ? '3' : '0'),
  );
  const edges = [
    paid('one', 'funder', '50', 1),
    sale('one', 2),
    sale('two', 3),
    sale('loser', 3),
    paid('one', 'collector', '2.9', 4),
    paid('two', 'collector', '2.8', 5),
    paid('two', 'exchange', '40', 5),
    paid('loser', 'funder', '30', 6),
  ];
  const wallets = paidWallets({ nodes, edges });
  // 2.9 + 2.8; the exchange is no wallet of the finding, and the loser gained nothing.
  expect(collectorOf(wallets, edges)).toEqual({ address: 'collector', sol: '5.7' });
  expect(collectorOf(wallets, edges.slice(0, 4))).toBeNull();
});
