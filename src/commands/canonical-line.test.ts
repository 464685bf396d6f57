import { expect, test } from 'vitest';
import { supplyChange, swapEvent, transactionFacts } from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { canonicalLines } from './canonical-line.ts';

test('a swap contains its trading terminal and its role in the transaction', () => {
  const trade = { trader: address('ann'), side: 'buy', baseRaw: 7n, quoteRaw: 5n } as const;
  const facts = transactionFacts({
    txIndex: 0,
    terminal: 'photon',
    events: [
      swapEvent(trade, { isPureArbitrage: true }),
      supplyChange('burn', address('token-t'), 1n),
    ],
  });
  const lines = canonicalLines(facts, { slot: null, blockTimeMs: null }, null);
  const [swap, burn] = lines.map((line) => JSON.parse(line) as object);
  expect(swap).toMatchObject({ terminal: 'photon', isPureArbitrage: true, amountIn: '5' });
  expect(burn).not.toHaveProperty('terminal');
});
