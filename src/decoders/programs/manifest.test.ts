import { describe, expect, test } from 'vitest';
import { assertNeverInvents } from '../../../tests/support/decoder-laws.ts';
import { PURCHASE } from '../../../tests/support/pool-legs.ts';
import { payIn, payOut } from '../../../tests/support/pool-transaction.ts';
import {
  BOUGHT,
  decodeWitness,
  describeSwapWitnesses,
  type SwapWitness,
} from '../../../tests/support/swap-witness.ts';
import { manifest } from './manifest.ts';

const PROGRAM = 'MNFSTqtC93rEfYHB6hF82sKdZpUDFWkViLByLd1k1Ms';
const SWAP: SwapWitness = {
  venue: 'manifest',
  program: PROGRAM,
  source:
    '4aQ4oYFrRwiwgyvHtXnrqJKQwfn5qVdLKGzEHiam2sAN8SaNcwNa3bdb4runFq91YKVFzYtSCynWcTwA9oogxvwL',
  data: '0440d730000000000000000000000000000001',
  accountCount: 13,
  accounts: {
    ...{ 0: 'wallet', 1: 'pool', 3: 'user base', 4: 'user sol' },
    ...{ 5: 'base vault', 6: 'quote vault' },
  },
};
const SWAP_V2: SwapWitness = {
  venue: 'manifest',
  program: PROGRAM,
  source:
    '45rnX5RNF7X1uRiQJ6kaowaJRWoH8BTrVE1N1gVsVZdYvLMAXBpGV1B9NL2n4AFyPTkaGZA15DL3C4y6fjxtAVCh',
  data: '0da78103050000000000000000000000000001',
  accountCount: 14,
  accounts: {
    ...{ 0: 'wallet', 1: 'wallet', 2: 'pool', 4: 'user base', 5: 'user sol' },
    ...{ 6: 'base vault', 7: 'quote vault' },
  },
};

describeSwapWitnesses([SWAP, SWAP_V2]);

describe('a Manifest order book', () => {
  test('leaves out tokens that a maker brought from its global account', () => {
    const brought = payOut('global base', 'base vault', 25n);
    const [paid, got] = PURCHASE.legs;
    if (paid === undefined || got === undefined) throw new Error('no legs');
    const changes = { base: [100n, 85n], quote: [100n, 130n] } as const;
    const { events } = decodeWitness(SWAP, [paid, brought, got], changes);
    expect(events).toMatchObject([BOUGHT]);
  });

  test.each([0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12])(
    'ignores tag %i whatever it moves, since makers trade only when they are taken',
    (tag) => {
      const data = `${tag.toString(16).padStart(2, '0')}${'00'.repeat(18)}`;
      const { events, outcomes } = decodeWitness({ ...SWAP, data }, [
        payIn('user sol', 'quote vault', 30n),
      ]);
      expect(events).toEqual([]);
      expect(outcomes.manifest).toMatchObject({ ignored: 1, unknown: 0, malformed: 0 });
    },
  );

  test('treats later tags and missing tags as unknown', () => {
    const reasons = ['0e', ''].map((data) => decodeWitness({ ...SWAP, data }).problems[0]?.reason);
    expect(reasons).toEqual(['unknown discriminator 0e', 'unknown discriminator ']);
  });

  test('never invents a swap', () => {
    const instructions = {
      swap: { discriminator: '04', accounts: {} },
      swap_v2: { discriminator: '0d', accounts: {} },
    };
    expect(() => assertNeverInvents(manifest, { instructions, events: {} })).not.toThrow();
  });
});
