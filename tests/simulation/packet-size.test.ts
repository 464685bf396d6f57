/** Every transaction of a market fits into a packet, for any quote coins and clients. */
import { expect, test } from 'vitest';
import { TRANSACTION_BYTES_MAX, writeWire } from '../../simulator/faces/write-wire.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { eventfulMarket } from '../support/eventful-market.ts';

const SLOTS = 400;

test.each([
  ['the shares of the preset', {}],
  ['many quote coins and older clients', { otherQuoteShare: 0.5, keptFeesShare: 0.1 }],
])(
  'with %s',
  (_, shares) => {
    const simulation = createSimulation({ ...eventfulMarket('packets'), ...shares });
    const tooLong: string[] = [];
    let trades = 0;
    let paths = 0;
    for (let passed = 0; passed < SLOTS; passed++) {
      for (const transaction of simulation.step()?.block.transactions ?? []) {
        const traded = transaction.facts.filter(({ kind }) => kind === 'trade').length;
        if (traded > 0) trades++;
        if (traded > 1) paths++;
        const { length } = writeWire(transaction);
        if (length > TRANSACTION_BYTES_MAX) tooLong.push(`${transaction.signatures[0]}: ${length}`);
      }
    }
    expect(trades).toBeGreaterThan(2_000);
    expect(paths).toBeGreaterThan(50);
    expect(tooLong).toEqual([]);
  },
  60_000,
);
