import { describe, expect, test } from 'vitest';
import { hex } from '../../../tests/support/borsh-bytes.ts';
import type { InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { assertNeverInvents } from '../../../tests/support/decoder-laws.ts';
import { payIn, payOut } from '../../../tests/support/pool-transaction.ts';
import {
  BOUGHT,
  decodeWitness,
  describeSwapWitnesses,
  type SwapWitness,
} from '../../../tests/support/swap-witness.ts';
import { stabbleStable, stabbleWeighted } from './stabble.ts';

const SWAP: SwapWitness = {
  venue: 'stabble_stable',
  program: 'swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ',
  source:
    '2YSZkZzpwNydysAXui9SSRFUvdXRrK9Si9w6CSprCi1nFy65dt2sRS1CVXsBkKiZWmLwbgj1oFMAoCbEFZJXU3v9',
  data: 'f8c69e91e17587c801cf5c0300000000000000000000000000',
  accountCount: 12,
  accounts: {
    ...{ 0: 'wallet', 1: 'user sol', 2: 'user base', 3: 'quote vault', 4: 'base vault' },
    ...{ 5: 'beneficiary base', 6: 'pool' },
  },
};
const SWAP_V2: SwapWitness = {
  venue: 'stabble_stable',
  program: 'swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ',
  source:
    '5HAPqNLdEbMwkwgE2fASofTZJrUxKRZa32etFLAQHxZRoaHxPBF75WwhbgLdi2eFXBgZoGtPwc8Q2Ss8tyA299eR',
  data: '2b04ed0b1ac91e62011e0b0000000000000100000000000000',
  accountCount: 15,
  accounts: {
    ...{ 0: 'wallet', 3: 'user sol', 4: 'user base', 5: 'quote vault', 6: 'base vault' },
    ...{ 7: 'beneficiary base', 8: 'pool' },
  },
};
const WEIGHTED = {
  venue: 'stabble_weighted',
  program: 'swapFpHZwjELNnjvThjajtiVmkz3yPQEHjLtka2fwHW',
} as const;
const PUBLISHED = 'the published source, whose weighted pools have the accounts of the stable ones';

describeSwapWitnesses([
  SWAP,
  SWAP_V2,
  { ...SWAP, ...WEIGHTED, source: PUBLISHED },
  { ...SWAP_V2, ...WEIGHTED, source: `${PUBLISHED}, in the newer instruction too` },
]);

describe('a Stabble swap', () => {
  test('is paid out by the vault program, as is the fee of its beneficiary', () => {
    // In the recorded transaction, 4 and 232,092 left the vault by a call of its program.
    const fee = payOut('base vault', 'beneficiary base', 4n);
    const paid = payOut('base vault', 'user base', 40n);
    const legs = [payIn('user sol', 'quote vault', 30n), byVaultProgram(fee, paid)];
    const { events } = decodeWitness(SWAP, legs, { base: [100n, 56n], quote: [100n, 130n] });
    expect(events).toMatchObject([{ ...BOUGHT, poolBaseDelta: -44n }]);
  });

  test('has no reserves, since all pools share one vault', () => {
    expect(decodeWitness(SWAP).events).toMatchObject([{ reserves: null }]);
  });

  test.each([stabbleStable, stabbleWeighted])('of $name is never invented', (decoder) => {
    const [swap, swap_v2] = ['f8c69e91e17587c8', '2b04ed0b1ac91e62'].map((discriminator) => ({
      discriminator,
      accounts: {},
    }));
    if (swap === undefined || swap_v2 === undefined) throw new Error('no layout');
    const layout = { instructions: { swap, swap_v2 }, events: {} };
    expect(() => assertNeverInvents(decoder, layout)).not.toThrow();
  });
});

/** `withdraw` of the program that holds the tokens. */
function byVaultProgram(...inner: readonly InstructionDraft[]): InstructionDraft {
  return {
    program: 'vo1tWgqZMjG61Z2T9qUaMYKqZ75CYzMuaZ2LZP1n7HV',
    data: hex('b712469c946da122'),
    inner,
  };
}
