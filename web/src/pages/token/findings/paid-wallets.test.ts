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

test('the greatest gain is first, exactly, and addresses without a part are left out', () => {
  const wallets = paidWallets(graph);
  expect(wallets.map(({ address, net }) => [address, net])).toEqual([
    ['winner', '0.2'],
    ['unknown', null],
    ['loser', '-1.5'],
  ]);
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
