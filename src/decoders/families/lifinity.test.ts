import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { addedTo, boughtFrom } from '../../../tests/support/pool-events.ts';
import { DEPOSIT, PURCHASE, WITHDRAWAL } from '../../../tests/support/pool-legs.ts';
import { poolProgram } from '../../../tests/support/pool-program.ts';
import { accountList, type VaultChanges } from '../../../tests/support/pool-transaction.ts';
import { burn, mintTo } from '../../../tests/support/token-instructions.ts';
import { lifinityV1 } from '../programs/lifinity-v1.ts';
import { lifinityV2 } from '../programs/lifinity-v2.ts';
import { lifinityLayout } from './lifinity.ts';

describe.each([
  { venue: 'lifinity_v1' as const, decoder: lifinityV1 },
  { venue: 'lifinity_v2' as const, decoder: lifinityV2 },
])('a pool of $venue', ({ venue, decoder }) => {
  const { decode } = poolProgram(decoder, lifinityLayout);
  const amm = { 0: 'amm', 2: 'wallet' };

  test('decodes a swap', () => {
    const accounts = accountList(13, {
      1: 'amm',
      2: 'wallet',
      3: 'user sol',
      4: 'user base',
      5: 'quote vault',
      6: 'base vault',
    });
    const inner = PURCHASE.legs;
    const changes: VaultChanges = PURCHASE.vaults;
    expect(decode('swap', accounts, inner, changes).events).toMatchObject([
      boughtFrom(venue, { pool: address('amm') }),
    ]);
  });

  test('decodes a deposit of all its tokens', () => {
    const accounts = accountList(10, { ...amm, 5: 'base vault', 6: 'quote vault', 7: 'lp mint' });
    const inner = [...DEPOSIT.legs, mintTo(address('lp mint'), 'user lp', 14n)];
    const changes: VaultChanges = DEPOSIT.vaults;
    const { events } = decode('deposit_all_token_types', accounts, inner, changes);
    expect(events).toMatchObject([addedTo(venue, { pool: address('amm'), lpDelta: 14n })]);
  });

  test('decodes a withdrawal of all its tokens', () => {
    const accounts = accountList(10, { ...amm, 4: 'base vault', 5: 'quote vault', 6: 'lp mint' });
    const inner = [burn('user lp', address('lp mint'), 14n), ...WITHDRAWAL.legs];
    const changes: VaultChanges = WITHDRAWAL.vaults;
    const { events } = decode('withdraw_all_token_types', accounts, inner, changes);
    expect(events).toMatchObject([
      { kind: 'liquidity', poolBaseDelta: -10n, poolQuoteDelta: -20n, lpDelta: -14n },
    ]);
  });

  test('is malformed without its accounts', () => {
    const still: VaultChanges = { base: [1n, 1n], quote: [1n, 1n] };
    const { problems } = decode('swap', accountList(6, { 1: 'amm' }), [], still);
    expect(problems).toMatchObject([{ problem: 'malformed', reason: 'too few accounts' }]);
  });

  describeDecoderLaws('its decoder', decoder, lifinityLayout);
});
