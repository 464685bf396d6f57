import { describe, expect, test } from 'vitest';
import { buildFinding } from '../../../tests/support/build-classification.ts';
import { address, signature } from '../../../tests/support/build-transaction.ts';
import type { GraphEdge } from '../../model/finding-graph.ts';
import { asLamports, asSlot } from '../../model/units.ts';
import { reportTransactions } from './report-transactions.ts';

const [buyer, creator, pool] = [address('buyer'), address('creator'), address('pool')];
const finding = buildFinding();

function edge(given: Partial<GraphEdge>): GraphEdge {
  return {
    ...{ from: creator, to: buyer, kind: 'payment', lamports: asLamports(1n), tokensRaw: null },
    ...{ slot: asSlot(990), txIndex: 0, signature: signature('payment'), ...given },
  };
}

describe('the transactions of a report', () => {
  test('are each listed once, with everything that they show', () => {
    const edges = [
      edge({}),
      edge({
        from: buyer,
        to: pool,
        kind: 'buy',
        slot: asSlot(1_000),
        signature: signature('first'),
      }),
      edge({
        from: creator,
        to: pool,
        kind: 'buy',
        slot: asSlot(1_000),
        signature: signature('first'),
      }),
    ];
    expect(reportTransactions(finding, { edges, unresolved: [] })).toEqual([
      {
        ...{ signature: signature('payment'), slot: 990, roles: ['payment'] },
        wallets: [creator, buyer],
      },
      {
        ...{ signature: signature('first'), slot: 1_000, roles: ['buy', 'bundled_transaction'] },
        wallets: [buyer, pool, creator],
      },
      // The evidence has the slot of its first transaction only, and wallets of both together.
      {
        ...{ signature: signature('second'), slot: null, roles: ['bundled_transaction'] },
        wallets: [],
      },
    ]);
  });

  test('leave out relations, which are no transactions, and keep unresolved signatures', () => {
    const relation = edge({ kind: 'same_entity', slot: null, txIndex: null, signature: null });
    const found = reportTransactions(
      { ...finding, evidence: [] },
      { edges: [relation], unresolved: [signature('old')] },
    );
    expect(found).toEqual([{ signature: signature('old'), slot: null, roles: [], wallets: [] }]);
  });
});
