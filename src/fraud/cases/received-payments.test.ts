import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { asLamports, asSlot } from '../../model/units.ts';
import { type ReceivedFlow, ReceivedPayments } from './received-payments.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const TO = named('payee');

function flow(payer: number, sol: number, day: number): ReceivedFlow {
  const lamports = asLamports(BigInt(Math.round(sol * 1e9)));
  return {
    ...{ payer, from: named(`payer ${payer}`), to: TO, lamports },
    ...{ slot: asSlot(day * 1_000 + payer), timeMs: day * DAY_MS },
  };
}

function fundersOf(flows: readonly ReceivedFlow[], counts = (_: number) => true) {
  return new ReceivedPayments(flows).fundersAmong(counts);
}

const namesIn = (funders: ReturnType<typeof fundersOf>) =>
  funders.fundings.map(({ funder }) => funder);

describe('the funders of a wallet', () => {
  test('are ordered by what they paid, which counts a half as much after 4.85 days', () => {
    // 7 d · ln 2 = 4.852 d.
    expect(namesIn(fundersOf([flow(1, 2, 0), flow(2, 1, 4.8)]))).toEqual(['payer 1', 'payer 2']);
    expect(namesIn(fundersOf([flow(1, 2, 0), flow(2, 1, 4.9)]))).toEqual(['payer 2', 'payer 1']);
    // 1 + 2 · e^(-1/7) = 2.73.
    const twice = [flow(1, 2, 0), flow(2, 2.7, 1), flow(1, 1, 1)];
    expect(namesIn(fundersOf(twice))).toEqual(['payer 1', 'payer 2']);
    expect(fundersOf(twice).fundings[0]).toMatchObject({
      ...{ lamports: 3_000_000_000n, sinceMs: 0, lastMs: DAY_MS, slot: 1 },
    });
  });

  test('are in the order of their weights at any later time', () => {
    const flows = fc
      .array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 1_000 }), fc.nat(60)), { maxLength: 16 })
      .map((drawn) =>
        drawn.sort(([, , one], [, , other]) => one - other).map((parts) => flow(...parts)),
      );
    fc.assert(
      fc.property(flows, fc.nat(30), (received, daysLater) => {
        const nowMs = (received.at(-1)?.timeMs ?? 0) + daysLater * DAY_MS;
        const weights = namesIn(fundersOf(received)).map((funder) =>
          received
            .filter(({ from }) => from === funder)
            .reduce((sum, { lamports, timeMs }) => {
              return sum + Number(lamports) * Math.exp((timeMs - nowMs) / WEEK_MS);
            }, 0),
        );
        for (const [index, weight] of weights.slice(1).entries()) {
          expect(weight).toBeLessThanOrEqual((weights[index] ?? 0) * (1 + 1e-9));
        }
      }),
    );
  });

  test('are the strongest four and those of the first four payments', () => {
    const first = [1, 2, 3, 4].map((payer) => flow(payer, 1, 0));
    const later = [5, 6, 7, 8, 9].map((payer) => flow(payer, payer, 1));
    const expected = ['payer 9', 'payer 8', 'payer 7', 'payer 6'];
    expect(namesIn(fundersOf([...first, ...later]))).toEqual([
      ...expected,
      ...['payer 1', 'payer 2', 'payer 3', 'payer 4'],
    ]);
    expect(fundersOf([...first, ...later]).firstFunding?.funder).toBe('payer 1');
  });

  test('are computed again when other payers count, and not otherwise', () => {
    const received = new ReceivedPayments([flow(1, 1, 0), flow(2, 2, 0)]);
    const all = received.fundersAmong(() => true);
    expect(namesIn(all)).toEqual(['payer 2', 'payer 1']);
    expect(received.fundersAmong(() => true)).toBe(all);
    const some = received.fundersAmong((payer) => payer === 1);
    expect([namesIn(some), some.firstFunding?.funder]).toEqual([['payer 1'], 'payer 1']);
    expect(received.fundersAmong(() => false)).toEqual({ firstFunding: null, fundings: [] });
    expect(namesIn(received.fundersAmong(() => true))).toEqual(['payer 2', 'payer 1']);
  });
});
