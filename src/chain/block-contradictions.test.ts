import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { hasTestData, testData } from '../../tests/support/test-data.ts';
import { TransferMarket } from '../../tests/support/transfer-market.ts';
import type { ChainBlock, ChainTransaction } from '../model/transaction.ts';
import { contradictionsOf } from './block-contradictions.ts';
import { createRecordedSource } from './recorded/recorded-source.ts';

/** A block of fee-less transfers of lamports and tokens. */
function block(): ChainBlock {
  const market = new TransferMarket({ skipRate: 0, transfersPerSlot: 60 });
  for (let slot = 0; slot < 3; slot++) market.step();
  const { block } = market.step() ?? {};
  if (block === undefined) throw new Error('the slot was skipped');
  return toChainBlock(block);
}

function withTransaction(
  { transactions, ...rest }: ChainBlock,
  isIt: (transaction: ChainTransaction) => boolean,
  change: (transaction: ChainTransaction) => Partial<ChainTransaction>,
): ChainBlock {
  const index = transactions.findIndex(isIt);
  const found = transactions[index];
  if (found === undefined) throw new Error('there is no such transaction');
  return { ...rest, transactions: transactions.with(index, { ...found, ...change(found) }) };
}

test('an extra or missing lamport is a contradiction, also in a fee', () => {
  const whole = block();
  expect(contradictionsOf(whole)).toMatchObject({ unbalanced: 0, unconnected: 0 });
  const richer = withTransaction(
    whole,
    () => true,
    ({ lamportsAfter: [first = 0n, ...others] }) => ({ lamportsAfter: [first + 1n, ...others] }),
  );
  expect(contradictionsOf(richer).unbalanced).toBe(1);
  expect(contradictionsOf(richer).unconnected).toBe(1);
  const cheaper = withTransaction(
    whole,
    () => true,
    ({ feeLamports }) => ({ feeLamports: feeLamports - 1n }),
  );
  expect(contradictionsOf(cheaper)).toMatchObject({ unbalanced: 1, unconnected: 0 });
});

test('an extra token is a contradiction, within the transaction and with the next one', () => {
  const whole = block();
  const { unconserved, unconnected } = contradictionsOf(whole);
  const isConserved = ({ tokenBalances }: ChainTransaction) =>
    tokenBalances.length > 1 &&
    tokenBalances.reduce((sum, { before, after }) => sum + after - before, 0n) === 0n;
  const richer = withTransaction(whole, isConserved, ({ tokenBalances }) => ({
    tokenBalances: tokenBalances.map((balance, index) =>
      index === 0 ? { ...balance, after: balance.after + 1n } : balance,
    ),
  }));
  expect(contradictionsOf(richer).unconserved).toBe(unconserved + 1);
  expect(contradictionsOf(richer).unconnected).toBeGreaterThanOrEqual(unconnected);
});

test.skipIf(!hasTestData)('no recorded block creates or destroys a lamport', async () => {
  let blocks = 0;
  let transactions = 0;
  for await (const item of createRecordedSource([join(testData, 'chain')])) {
    if (item.kind !== 'block') continue;
    blocks++;
    transactions += item.block.transactions.length;
    expect(contradictionsOf(item.block).unbalanced, `slot ${item.block.slot}`).toBe(0);
  }
  expect(blocks).toBeGreaterThan(100);
  expect(transactions).toBeGreaterThan(800);
});

test('a token balance that differs from the previous transaction is a contradiction, even if both sums match', () => {
  const { transactions, ...rest } = block();
  const one = transactions.find(({ tokenBalances }) => tokenBalances.length > 1);
  if (one === undefined) throw new Error('no transaction moves tokens');
  const next = {
    ...one,
    lamportsBefore: one.lamportsAfter,
    tokenBalances: one.tokenBalances.map((balance) => ({ ...balance, before: balance.after })),
  };
  const unconnected = (second: ChainTransaction) =>
    contradictionsOf({ ...rest, transactions: [one, second] }).unconnected;
  expect(unconnected(next)).toBe(0);
  const [first, ...others] = next.tokenBalances;
  if (first === undefined) throw new Error('there is no balance');
  const richer = { ...first, before: first.before + 1n, after: first.after + 1n };
  expect(unconnected({ ...next, tokenBalances: [richer, ...others] })).toBe(1);
});
