import { describe, expect, test } from 'vitest';
import { swapEvent, transactionFacts } from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { Address } from '../model/units.ts';
import { InferredReport } from './audit-inferred.ts';

const DRAFT = { trader: address('t'), side: 'buy', baseRaw: 5n, quoteRaw: 7n } as const;

function swapOf(program: Address | null) {
  return swapEvent(DRAFT, program === null ? {} : { venue: 'inferred', program });
}

describe('the report on inferred swaps', () => {
  test('contains their share of all swaps, and their programs, most swaps first', () => {
    const report = new InferredReport();
    const programs = [null, address('b'), address('a'), null, address('c'), address('c')];
    report.add({ transactions: [transactionFacts({ txIndex: 0, events: programs.map(swapOf) })] });
    expect(report.summary()).toEqual({
      swaps: 6,
      inferred: 4,
      share: '66.66 %',
      programs: [
        { program: address('c'), swaps: 2 },
        { program: address('a'), swaps: 1 },
        { program: address('b'), swaps: 1 },
      ],
    });
  });

  test('lists a hundred programs and counts all of them', () => {
    const report = new InferredReport();
    const events = Array.from({ length: 130 }, (_, at) => swapOf(address(`program ${at}`)));
    report.add({ transactions: [transactionFacts({ txIndex: 0, events })] });
    const { inferred, programs } = report.summary();
    expect([inferred, programs.length]).toEqual([130, 100]);
  });

  test('has no share without swaps', () => {
    expect(new InferredReport().summary()).toMatchObject({ swaps: 0, share: null, programs: [] });
  });
});
