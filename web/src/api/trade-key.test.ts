import { expect, test } from 'vitest';
import { tradeKey } from './trade-key.ts';

test('swaps of one instruction on two pools, or in two tokens of a pool, have keys of their own', () => {
  const places = [
    { trade_id: '7-1-0-2', pair_address: 'pool', token_address: 'cat' },
    { trade_id: '7-1-0-2', pair_address: 'other pool', token_address: 'cat' },
    { trade_id: '7-1-0-2', pair_address: 'pool', token_address: 'dog' },
    { trade_id: '7-1-0-3', pair_address: 'pool', token_address: 'cat' },
  ];
  expect(new Set(places.map(tradeKey)).size).toBe(4);
});
