import { describe, expect, test } from 'vitest';
import { concat, hex, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { boughtFrom } from '../../../tests/support/pool-events.ts';
import { PURCHASE } from '../../../tests/support/pool-legs.ts';
import {
  accountList,
  decodeDraft,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { openbookV2, openbookV2Layout } from './openbook-v2.ts';

const TAKE = openbookV2Layout.instructions.place_take_order.discriminator;
const { place_order, place_orders, settle_funds } = openbookV2Layout.ignoredInstructions;
const ACCOUNTS = accountList(17, {
  0: 'wallet',
  2: 'market',
  6: 'base vault',
  7: 'quote vault',
  9: 'user base',
  10: 'user sol',
});

describe('a taker of OpenBook v2', () => {
  test('trades the amounts the vaults moved', () => {
    expect(decode(TAKE, PURCHASE.legs).events).toMatchObject([
      boughtFrom('openbook_v2', { pool: address('market') }),
    ]);
  });

  test('without a match traded nothing', () => {
    expect(decode(TAKE, []).outcomes.openbook_v2?.ignored).toBe(1);
  });

  test('is malformed without its accounts', () => {
    expect(decode(TAKE, PURCHASE.legs, ACCOUNTS.slice(0, 7)).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

test.each([place_order, place_orders, settle_funds])(
  'a resting order, or its settlement (%s), is not a trade whatever it moves',
  (discriminator) => {
    expect(decode(discriminator, PURCHASE.legs).events).toEqual([]);
  },
);

describeDecoderLaws('OpenBook v2', openbookV2, openbookV2Layout);

function decode(
  discriminator: string,
  inner: readonly InstructionDraft[],
  accounts: readonly string[] = ACCOUNTS,
) {
  const data = concat(hex(discriminator), u64(1n), u64(2n), u64(3n));
  return decodeDraft({
    instructions: [{ program: openbookV2.programId, accounts, data, inner }],
    tokenBalances: vaultBalances(PURCHASE.vaults),
  });
}
