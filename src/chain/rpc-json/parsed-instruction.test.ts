import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../model/program.ts';
import { rebuildInstruction } from './parsed-instruction.ts';
import { ASSOCIATED_TOKEN_LAYOUTS, SYSTEM_LAYOUTS, TOKEN_LAYOUTS } from './parsed-layouts.ts';

const A = address('a');
const B = address('b');
const C = address('c');
const D = address('d');
const E = address('e');
const hexOf = (key: string) => Buffer.from(bs58.decode(key)).toString('hex');
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const RENT = 'SysvarRent111111111111111111111111111111111';
const THOUSAND = 'e803000000000000';

interface Case {
  readonly program: string;
  readonly type: string;
  readonly info: Record<string, unknown>;
  readonly accounts: readonly string[];
  readonly data: string;
}

const amount = (value: string, decimals: number) => ({ amount: value, decimals, uiAmount: null });
const system = (
  type: string,
  info: Case['info'],
  accounts: readonly string[],
  data: string,
): Case => ({ program: SYSTEM_PROGRAM, type, info, accounts, data });
const token: typeof system = (...parts) => ({ ...system(...parts), program: SPL_TOKEN_PROGRAM });
const token2022 = (
  type: string,
  info: Case['info'],
  accounts: readonly string[],
  data: string,
) => ({
  ...system(type, info, accounts, data),
  program: TOKEN_2022_PROGRAM,
});

/** Expected bytes follow the programs' published instruction layouts, written by hand. */
const CASES: readonly Case[] = [
  system('transfer', { source: A, destination: B, lamports: 1000 }, [A, B], `02000000${THOUSAND}`),
  system(
    'transfer',
    { source: A, destination: B, lamports: '18446744073709551615' },
    [A, B],
    '02000000ffffffffffffffff',
  ),
  system(
    'createAccount',
    { source: A, newAccount: B, lamports: 1000, space: 165, owner: C },
    [A, B],
    `00000000${THOUSAND}a500000000000000${hexOf(C)}`,
  ),
  system(
    'createAccountWithSeed',
    { source: A, newAccount: B, base: C, seed: 'né', lamports: 1000, space: 1, owner: D },
    [A, B, C],
    `03000000${hexOf(C)}03000000000000006ec3a9${THOUSAND}0100000000000000${hexOf(D)}`,
  ),
  system(
    'createAccountWithSeed',
    { source: A, newAccount: B, base: A, seed: '', lamports: 0, space: 0, owner: D },
    [A, B],
    `03000000${hexOf(A)}0000000000000000${'00'.repeat(16)}${hexOf(D)}`,
  ),
  system(
    'transferWithSeed',
    { source: A, sourceBase: B, destination: C, lamports: 1000, sourceSeed: 'x', sourceOwner: D },
    [A, B, C],
    `0b000000${THOUSAND}010000000000000078${hexOf(D)}`,
  ),
  system('allocate', { account: A, space: 1000 }, [A], `08000000${THOUSAND}`),
  system(
    'advanceNonce',
    { nonceAccount: A, recentBlockhashesSysvar: B, nonceAuthority: C },
    [A, B, C],
    '04000000',
  ),
  token(
    'transfer',
    { source: A, destination: B, authority: C, amount: '1000' },
    [A, B, C],
    `03${THOUSAND}`,
  ),
  token(
    'transfer',
    { source: A, destination: B, multisigAuthority: C, signers: [D, E], amount: '1000' },
    [A, B, C, D, E],
    `03${THOUSAND}`,
  ),
  token(
    'transferChecked',
    { source: A, mint: B, destination: C, authority: D, tokenAmount: amount('1000', 6) },
    [A, B, C, D],
    `0c${THOUSAND}06`,
  ),
  token(
    'mintTo',
    { mint: A, account: B, mintAuthority: C, amount: '1000' },
    [A, B, C],
    `07${THOUSAND}`,
  ),
  token(
    'mintToChecked',
    { mint: A, account: B, mintAuthority: C, tokenAmount: amount('1000', 9) },
    [A, B, C],
    `0e${THOUSAND}09`,
  ),
  token('burn', { account: A, mint: B, authority: C, amount: '1000' }, [A, B, C], `08${THOUSAND}`),
  token(
    'burnChecked',
    { account: A, mint: B, authority: C, tokenAmount: amount('1000', 0) },
    [A, B, C],
    `0f${THOUSAND}00`,
  ),
  token('closeAccount', { account: A, destination: B, owner: C }, [A, B, C], '09'),
  token('syncNative', { account: A }, [A], '11'),
  token(
    'initializeAccount',
    { account: A, mint: B, owner: C, rentSysvar: RENT },
    [A, B, C, RENT],
    '01',
  ),
  token(
    'initializeAccount2',
    { account: A, mint: B, owner: C, rentSysvar: RENT },
    [A, B, RENT],
    `10${hexOf(C)}`,
  ),
  token('initializeAccount3', { account: A, mint: B, owner: C }, [A, B], `12${hexOf(C)}`),
  token(
    'initializeMint',
    { mint: A, decimals: 6, mintAuthority: B, rentSysvar: RENT, freezeAuthority: C },
    [A, RENT],
    `0006${hexOf(B)}01${hexOf(C)}`,
  ),
  token('initializeMint2', { mint: A, decimals: 9, mintAuthority: B }, [A], `1409${hexOf(B)}00`),
  token(
    'setAuthority',
    { mint: A, authority: B, authorityType: 'mintTokens', newAuthority: null },
    [A, B],
    '060000',
  ),
  token(
    'setAuthority',
    { account: A, authority: B, authorityType: 'accountOwner', newAuthority: C },
    [A, B],
    `060201${hexOf(C)}`,
  ),
  token(
    'approve',
    { source: A, delegate: B, owner: C, amount: '1000' },
    [A, B, C],
    `04${THOUSAND}`,
  ),
  token('revoke', { source: A, owner: B }, [A, B], '05'),
  token2022('getAccountDataSize', { mint: A, extensionTypes: ['immutableOwner'] }, [A], '150700'),
  token2022(
    'transferCheckedWithFee',
    {
      source: A,
      mint: B,
      destination: C,
      authority: D,
      tokenAmount: amount('1000', 6),
      feeAmount: amount('1', 6),
    },
    [A, B, C, D],
    `1a01${THOUSAND}060100000000000000`,
  ),
  token2022(
    'initializeTransferFeeConfig',
    {
      mint: A,
      transferFeeConfigAuthority: B,
      transferFeeBasisPoints: 300,
      maximumFee: 1000,
    },
    [A],
    `1a0001${hexOf(B)}002c01${THOUSAND}`,
  ),
  token2022(
    'initializeMetadataPointer',
    { mint: A, metadataAddress: B },
    [A],
    `2700${'00'.repeat(32)}${hexOf(B)}`,
  ),
  token2022(
    'initializeTokenMetadata',
    {
      metadata: A,
      updateAuthority: B,
      mint: A,
      mintAuthority: C,
      name: 'Cat',
      symbol: 'C',
      uri: '',
    },
    [A, B, A, C],
    `${interfaceTag('initialize_account')}03000000436174010000004300000000`,
  ),
  token2022(
    'updateTokenMetadataField',
    { metadata: A, updateAuthority: B, field: 'uri', value: 'x' },
    [A, B],
    `${interfaceTag('updating_field')}020100000078`,
  ),
  token2022(
    'updateTokenMetadataField',
    { metadata: A, updateAuthority: B, field: 'k', value: 'x' },
    [A, B],
    `${interfaceTag('updating_field')}03010000006b0100000078`,
  ),
  token2022(
    'updateTokenMetadataAuthority',
    { metadata: A, updateAuthority: B, newAuthority: null },
    [A, B],
    `${interfaceTag('update_the_authority')}${'00'.repeat(32)}`,
  ),
  system(
    'createAccountAllowPrefund',
    { newAccount: A, source: B, lamports: 1000, space: 165, owner: C },
    [A, B],
    `0d000000${THOUSAND}a500000000000000${hexOf(C)}`,
  ),
  system(
    'createAccountAllowPrefund',
    { newAccount: A, space: 0, owner: C },
    [A],
    `0d000000${'00'.repeat(16)}${hexOf(C)}`,
  ),
  token('unwrapLamports', { source: A, destination: B, authority: C }, [A, B, C], '2d00'),
  token(
    'unwrapLamports',
    { source: A, destination: B, authority: C, amount: '1000' },
    [A, B, C],
    `2d01${THOUSAND}`,
  ),
  token('withdrawExcessLamports', { source: A, destination: B, authority: C }, [A, B, C], '26'),
  token('uiAmountToAmount', { mint: A, uiAmount: '1.5' }, [A], '18312e35'),
  {
    program: ASSOCIATED_TOKEN_PROGRAM,
    type: 'createIdempotent',
    info: {
      source: A,
      account: B,
      wallet: C,
      mint: D,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram: SPL_TOKEN_PROGRAM,
    },
    accounts: [A, B, C, D, SYSTEM_PROGRAM, SPL_TOKEN_PROGRAM],
    data: '01',
  },
];

describe('rebuildInstruction', () => {
  test.each(CASES)('rebuilds $type as $data', ({ program, type, info, accounts, data }) => {
    const rebuilt = rebuildInstruction(program, { type, info });
    expect(rebuilt?.accounts).toEqual(accounts);
    expect(Buffer.from(rebuilt?.data ?? []).toString('hex')).toBe(data);
  });

  test('rebuilds a memo from its text', () => {
    const rebuilt = rebuildInstruction(MEMO, 'gm ☀');
    expect(Buffer.from(rebuilt?.data ?? []).toString('utf8')).toBe('gm ☀');
  });

  test('rebuilds a batch: for each part its counts of accounts and bytes, and its data', () => {
    const parts = [
      { type: 'transfer', info: { source: A, destination: B, authority: C, amount: '1000' } },
      { type: 'syncNative', info: { account: D } },
    ];
    const parsed = { type: 'batch', info: { instructions: parts } };
    for (const program of [SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      const rebuilt = rebuildInstruction(program, parsed);
      expect(rebuilt?.accounts).toEqual([A, B, C, D]);
      expect(Buffer.from(rebuilt?.data ?? []).toString('hex')).toBe(`ff030903${THOUSAND}010111`);
    }
  });

  test.each([
    ['with an unknown part', [{ type: 'unheardOf', info: {} }]],
    ['within a batch', [{ type: 'batch', info: { instructions: [] } }]],
    ['of values that are not instructions', ['transfer']],
    ['without parts', undefined],
  ])('rejects a batch %s', (_, instructions) => {
    const parsed = { type: 'batch', info: { instructions } };
    expect(rebuildInstruction(SPL_TOKEN_PROGRAM, parsed)).toBeNull();
  });

  test('does not rebuild a batch of the system program', () => {
    const parsed = { type: 'batch', info: { instructions: [] } };
    expect(rebuildInstruction(SYSTEM_PROGRAM, parsed)).toBeNull();
  });

  test.each([
    ['another program', A, { type: 'transfer', info: { source: A, destination: B, lamports: 1 } }],
    ['another kind', SYSTEM_PROGRAM, { type: 'unheardOf', info: {} }],
    ['a name that every object has', SYSTEM_PROGRAM, { type: 'constructor', info: {} }],
    ['a missing account', SYSTEM_PROGRAM, { type: 'transfer', info: { source: A, lamports: 1 } }],
    [
      'a missing amount',
      SPL_TOKEN_PROGRAM,
      {
        type: 'transfer',
        info: { source: A, destination: B, authority: C },
      },
    ],
    [
      'an owner that is not a key',
      SYSTEM_PROGRAM,
      { type: 'assign', info: { account: A, owner: 'x' } },
    ],
    ['text from a program other than memo', SYSTEM_PROGRAM, 'text'],
    ['nothing', SYSTEM_PROGRAM, null],
  ])('returns null for %s', (_, program, parsed) => {
    expect(rebuildInstruction(program, parsed)).toBeNull();
  });

  test('has one tag per instruction type', () => {
    for (const layouts of [SYSTEM_LAYOUTS, TOKEN_LAYOUTS, ASSOCIATED_TOKEN_LAYOUTS]) {
      const tags = Object.values(layouts).map(({ data }) =>
        data
          .filter(({ source, type }) => type === 'hex' || /^\d+$/.test(source))
          .map(({ source }) => source)
          .join(),
      );
      expect(new Set(tags).size).toBe(tags.length);
    }
  });
});

/** Discriminator of the token metadata interface: a truncated hash of its name. */
function interfaceTag(name: string): string {
  const hash = createHash('sha256').update(`spl_token_metadata_interface:${name}`).digest('hex');
  return hash.slice(0, 16);
}
