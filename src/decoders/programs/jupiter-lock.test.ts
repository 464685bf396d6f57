import { describe, expect, test } from 'vitest';
import { testAnchorLayout } from '../../../tests/support/anchor-interface.ts';
import { concat, hex, u8, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { accountList } from '../../../tests/support/pool-transaction.ts';
import { transfer } from '../../../tests/support/token-instructions.ts';
import { jupiterLock, jupiterLockLayout } from './jupiter-lock.ts';
import { meteoraDbc } from './meteora-dbc.ts';

type Name = keyof typeof jupiterLockLayout.instructions;

const MINT = address('mint');
/** 2026-01-01T00:00:00Z. */
const NEW_YEAR = 1_767_225_600n;
const DAY = 86_400n;
const DEPOSIT = transfer({ from: 'sender token', to: 'escrow token', by: 'sender', amount: 400n });
const CREATE = accountList(8, { 2: 'escrow token', 3: 'sender', 4: 'sender token' });
const CREATE_V2 = accountList(10, { 3: 'escrow token', 4: 'sender', 5: 'sender token' });

describe('a Jupiter lock', () => {
  test.each([
    ['create_vesting_escrow', CREATE],
    ['create_vesting_escrow_v2', CREATE_V2],
  ] as const)('by %s locks the transferred amount, unlocked from its cliff', (name, accounts) => {
    const parameters = escrowParameters({ cliffAmount: 100n, perPeriod: 100n, periods: 3n });
    expect(decode(name, accounts, [DEPOSIT], parameters)).toEqual({
      status: 'event',
      events: [
        {
          kind: 'tokenLock',
          outerIx: 0,
          innerIx: -1,
          locker: 'jupiter_lock',
          escrow: address('escrow token'),
          mint: MINT,
          owner: address('sender'),
          escrowDelta: 400n,
          terms: {
            isPermanent: false,
            firstUnlockTimeMs: Date.UTC(2026, 0, 1),
            lastUnlockTimeMs: Date.UTC(2026, 0, 4),
            isRevocable: false,
          },
        },
      ],
    });
  });

  test('unlocks the first part one period after the cliff when the cliff unlocks nothing', () => {
    const parameters = escrowParameters({ cliffAmount: 0n, perPeriod: 200n, periods: 2n });
    expect(decode('create_vesting_escrow', CREATE, [DEPOSIT], parameters)).toMatchObject({
      events: [
        {
          terms: {
            firstUnlockTimeMs: Date.UTC(2026, 0, 2),
            lastUnlockTimeMs: Date.UTC(2026, 0, 3),
          },
        },
      ],
    });
  });

  test.each([
    { cliffAmount: 400n, perPeriod: 0n, periods: 9n },
    { cliffAmount: 400n, perPeriod: 5n, periods: 0n },
    { cliffAmount: 400n, perPeriod: 5n, periods: 9n, frequency: 0n },
  ])('unlocks everything at the cliff when no period unlocks anything (%o)', (amounts) => {
    const decoded = decode('create_vesting_escrow', CREATE, [DEPOSIT], escrowParameters(amounts));
    const cliff = Date.UTC(2026, 0, 1);
    expect(decoded).toMatchObject({
      events: [{ terms: { firstUnlockTimeMs: cliff, lastUnlockTimeMs: cliff } }],
    });
  });

  test.each([1, 2, 3])('is revocable when it can be cancelled (mode %i)', (mode) => {
    const amounts = { cliffAmount: 400n, perPeriod: 0n, periods: 0n, cancelMode: mode };
    const decoded = decode('create_vesting_escrow', CREATE, [DEPOSIT], escrowParameters(amounts));
    expect(decoded).toMatchObject({ events: [{ terms: { isRevocable: true } }] });
  });

  test('created by a launchpad is also a lock', () => {
    const parameters = escrowParameters({ cliffAmount: 400n, perPeriod: 0n, periods: 0n });
    const lock = draft('create_vesting_escrow_v2', CREATE_V2, [DEPOSIT], parameters);
    const launchpad = { program: meteoraDbc.programId, inner: [lock] };
    expect(decodeDraft({ ...SCENE, instructions: [launchpad] }, 1)).toMatchObject({
      events: [{ escrowDelta: 400n, owner: address('sender') }],
    });
  });

  test('created from a root escrow names no owner', () => {
    const accounts = accountList(11, { 3: 'escrow token', 4: 'sender token' });
    const parameters = escrowParameters({ cliffAmount: 400n, perPeriod: 0n, periods: 0n });
    expect(
      decode('create_vesting_escrow_from_root', accounts, [DEPOSIT], parameters),
    ).toMatchObject({
      events: [{ escrow: address('escrow token'), owner: null, escrowDelta: 400n }],
    });
  });

  test.each([
    ['claim', 1],
    ['claim_v2', 2],
    ['cancel_vesting_escrow', 2],
  ] as const)('loses the amount that %s pays out, however it is split', (name, position) => {
    const accounts = accountList(9, { [position]: 'escrow token' });
    const paid = [
      transfer({ from: 'escrow token', to: 'recipient token', by: 'escrow', amount: 30n }),
      transfer({ from: 'escrow token', to: 'sender token', by: 'escrow', amount: 12n }),
    ];
    expect(decode(name, accounts, paid, u64(999n))).toMatchObject({
      events: [{ escrow: address('escrow token'), owner: null, escrowDelta: -42n, terms: null }],
    });
  });

  test('is malformed when its parameters or accounts are truncated', () => {
    const parameters = escrowParameters({ cliffAmount: 1n, perPeriod: 1n, periods: 1n });
    expect(decode('create_vesting_escrow', CREATE, [DEPOSIT], parameters.slice(0, -1))).toEqual({
      status: 'malformed',
      reason: 'escrow parameters cut short',
    });
    expect(decode('create_vesting_escrow', CREATE.slice(0, 2), [DEPOSIT], parameters)).toEqual({
      status: 'malformed',
      reason: 'too few accounts',
    });
  });

  testAnchorLayout(jupiterLockLayout, {
    create_vesting_escrow: ['base', 'escrow', 'escrow_token', 'sender', 'sender_token'],
    create_vesting_escrow_v2: ['base', 'escrow', 'token_mint', 'escrow_token', 'sender'],
    create_vesting_escrow_from_root: ['root_escrow', 'base', 'escrow', 'escrow_token'],
    claim: ['escrow', 'escrow_token'],
    claim_v2: ['escrow', 'token_mint', 'escrow_token'],
    cancel_vesting_escrow: ['escrow', 'token_mint', 'escrow_token'],
  });
});

describeDecoderLaws('a Jupiter lock decoder', jupiterLock, jupiterLockLayout);

interface EscrowAmounts {
  readonly cliffAmount: bigint;
  readonly perPeriod: bigint;
  readonly periods: bigint;
  readonly frequency?: bigint;
  readonly cancelMode?: number;
}

/** `CreateVestingEscrowParameters`: a cliff at new year, a period of one day. */
function escrowParameters(amounts: EscrowAmounts): Uint8Array {
  const { cliffAmount, perPeriod, periods, frequency = DAY, cancelMode = 0 } = amounts;
  const numbers = [NEW_YEAR - DAY, NEW_YEAR, frequency, cliffAmount, perPeriod, periods];
  return concat(...numbers.map(u64), u8(1), u8(cancelMode));
}

const SCENE = {
  signers: [address('sender')],
  tokenBalances: [{ account: address('escrow token'), mint: MINT, owner: address('escrow') }],
};

function draft(
  name: Name,
  accounts: readonly string[],
  inner: readonly InstructionDraft[],
  parameters: Uint8Array,
): InstructionDraft {
  const { discriminator } = jupiterLockLayout.instructions[name];
  const data = concat(hex(discriminator), parameters);
  return { program: jupiterLock.programId, accounts, data, inner };
}

function decode(...parts: Parameters<typeof draft>) {
  return decodeDraft({ ...SCENE, instructions: [draft(...parts)] });
}
