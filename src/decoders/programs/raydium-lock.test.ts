import { describe, expect, test } from 'vitest';
import { testAnchorLayout } from '../../../tests/support/anchor-interface.ts';
import { concat, flag, hex, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { accountList } from '../../../tests/support/pool-transaction.ts';
import { burn, transfer } from '../../../tests/support/token-instructions.ts';
import { raydiumCpmm } from './raydium-cpmm.ts';
import { raydiumLock, raydiumLockLayout } from './raydium-lock.ts';

const LP_MINT = address('lp mint');
const PERMANENT = {
  isPermanent: true,
  firstUnlockTimeMs: null,
  lastUnlockTimeMs: null,
  isRevocable: false,
};

describe('Raydium locking', () => {
  test('locks LP tokens permanently, in the transferred amount regardless of the argument', () => {
    const accounts = accountList(19, { 2: 'owner', 8: 'lp mint', 9: 'owner lp', 10: 'lp vault' });
    const moved = transfer({ from: 'owner lp', to: 'lp vault', by: 'owner', amount: 70n });
    const data = [u64(99n), flag(true)];
    expect(decode('lock_cp_liquidity', accounts, [moved], data)).toEqual({
      status: 'event',
      events: [
        {
          kind: 'tokenLock',
          outerIx: 0,
          innerIx: -1,
          locker: 'raydium_lock',
          escrow: address('lp vault'),
          mint: LP_MINT,
          owner: address('owner'),
          escrowDelta: 70n,
          terms: PERMANENT,
        },
      ],
    });
  });

  test('locks the single token of a position', () => {
    const accounts = accountList(18, { 2: 'owner', 4: 'owner lp', 7: 'lp vault' });
    const moved = transfer({ from: 'owner lp', to: 'lp vault', by: 'owner', amount: 1n });
    expect(decode('lock_clmm_position', accounts, [moved], [flag(true)])).toMatchObject({
      events: [{ owner: address('owner'), escrowDelta: 1n, terms: PERMANENT }],
    });
  });

  test('releases the LP tokens that the pool burns to pay fees, with unchanged terms', () => {
    const accounts = accountList(18, { 14: 'lp vault' });
    const withdraw = { program: raydiumCpmm.programId, inner: [burn('lp vault', 'lp mint', 3n)] };
    expect(decode('collect_cp_fees', accounts, [withdraw], [u64(3n)])).toMatchObject({
      events: [{ escrow: address('lp vault'), owner: null, escrowDelta: -3n, terms: null }],
    });
  });

  test('is ignored when nothing moved, malformed without its accounts', () => {
    const accounts = accountList(19, { 10: 'lp vault' });
    expect(decode('lock_cp_liquidity', accounts, []).status).toBe('ignored');
    for (const name of ['lock_cp_liquidity', 'lock_clmm_position', 'collect_cp_fees'] as const) {
      expect(decode(name, accounts.slice(0, 7), [])).toEqual({
        status: 'malformed',
        reason: 'too few accounts',
      });
    }
  });

  testAnchorLayout(raydiumLockLayout, {
    lock_cp_liquidity: [
      'authority',
      'payer',
      'liquidity_owner',
      'fee_nft_owner',
      'fee_nft_mint',
      'fee_nft_account',
      'pool_state',
      'locked_liquidity',
      'lp_mint',
      'liquidity_owner_lp',
      'locked_lp_vault',
    ],
    lock_clmm_position: [
      'authority',
      'payer',
      'position_nft_owner',
      'fee_nft_owner',
      'position_nft_account',
      'personal_position',
      'position_nft_mint',
      'locked_nft_account',
    ],
    collect_cp_fees: [
      'authority',
      'fee_nft_owner',
      'fee_nft_account',
      'locked_liquidity',
      'cp_swap_program',
      'cp_authority',
      'pool_state',
      'lp_mint',
      'recipient_token0_account',
      'recipient_token1_account',
      'token0_vault',
      'token1_vault',
      'vault0_mint',
      'vault1_mint',
      'locked_lp_vault',
    ],
  });
});

describeDecoderLaws('a Raydium locking decoder', raydiumLock, raydiumLockLayout);

function decode(
  name: keyof typeof raydiumLockLayout.instructions,
  accounts: readonly string[],
  inner: readonly InstructionDraft[],
  parameters: readonly Uint8Array[] = [],
) {
  const { discriminator } = raydiumLockLayout.instructions[name];
  const data = concat(hex(discriminator), ...parameters);
  return decodeDraft({
    signers: [address('owner')],
    instructions: [{ program: raydiumLock.programId, accounts, data, inner }],
    tokenBalances: [{ account: address('lp vault'), mint: LP_MINT, owner: address('locker') }],
  });
}
