import { expect, test } from 'vitest';
import type { FindingGraph } from '../token-types.ts';
import { paidWallets, totalsOf } from './paid-wallets.ts';

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
    edges: [payment('seller', 'collector', '4.9'), payment('collector', 'pool', '0.4')],
  });
  // 6 - 1 - 4.9 stays with the seller, 4.9 - 0.4 with the collector.
  expect(passedOn.map(({ address, kept }) => [address, kept])).toEqual([
    ['collector', '4.5'],
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
