import { expect, test } from 'vitest';
import { amountOf, bondsOf, labelOf, toGraphEdges, toGraphNodes } from './graph-parts.ts';

const edge = {
  from: 'a',
  to: 'b',
  kind: 'payment',
  sol_amount: '0.1',
  token_amount: null,
  slot: 1,
  signature: 's',
} as const;

test('edges of one kind and direction are one bond, with all their transactions', () => {
  const back = { ...edge, from: 'b', to: 'a' };
  const sale = { ...edge, kind: 'sell', token_amount: '5' } as const;
  const bonds = bondsOf([edge, back, { ...edge, sol_amount: '0.2', slot: 2 }, sale]);
  expect(bonds.map(({ id, sol, edges }) => [id, sol, edges.length])).toEqual([
    ['a payment b', '0.3', 2],
    ['b payment a', '0.1', 1],
    ['a sell b', '0.1', 1],
  ]);
  expect(bonds.map(amountOf)).toEqual(['2 times, 0.3 SOL', '0.1 SOL', '0.1 SOL, 5 tokens']);
});

test('an address is called by what it is', () => {
  const address = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
  expect(labelOf(undefined, address, address)).toBe('Creator 7xKX…gAsU');
  expect(labelOf(undefined, address, null)).toBe('7xKX…gAsU');
});

test('only addresses with an edge in sight are drawn', () => {
  const node = {
    role: null,
    class: null,
    tokens_acquired: null,
    sol_spent: null,
    sol_received: null,
    labels: [],
  };
  const graph = {
    classification_id: 'x',
    nodes: ['a', 'b', 'c'].map((address) => ({ ...node, address })),
    edges: [edge],
    unresolved_signatures: [],
  };
  expect(
    toGraphNodes(graph, bondsOf(graph.edges), 'b').map(({ id, isMarked }) => [id, isMarked]),
  ).toEqual([
    ['a', false],
    ['b', true],
  ]);
});

test('the circle of the address with most payments is the largest, and so is its line', () => {
  const node = {
    role: null,
    class: null,
    tokens_acquired: null,
    sol_spent: null,
    sol_received: null,
    labels: [],
  };
  const graph = {
    classification_id: 'x',
    nodes: ['funder', 'seller', 'collector', 'pool'].map((address) => ({ ...node, address })),
    edges: [
      { ...edge, from: 'funder', to: 'seller', sol_amount: '2' },
      { ...edge, from: 'seller', to: 'collector', sol_amount: '8' },
      { ...edge, from: 'seller', to: 'pool', kind: 'sell' as const, sol_amount: '4' },
    ],
    unresolved_signatures: [],
  };
  const bonds = bondsOf(graph.edges);
  expect(toGraphNodes(graph, bonds, null).map(({ id, size }) => [id, size])).toEqual([
    ['funder', 0.25],
    ['seller', 1],
    ['collector', 1],
    ['pool', 0],
  ]);
  expect(toGraphEdges(bonds).map(({ size }) => size)).toEqual([0.25, 1, 0.5]);
});
