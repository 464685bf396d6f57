import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, hex, key, text, u8, u16, u64 } from '../../../tests/support/borsh-bytes.ts';
import { metadataSet } from '../../../tests/support/build-facts.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import { initializeMint2 } from '../../../tests/support/mint-instructions.ts';
import {
  transferChecked,
  transferCheckedWithFee,
} from '../../../tests/support/token-instructions.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../model/program.ts';
import { token2022Interfaces } from './token-2022.ts';

const MINT = address('mint');
const A = address('a');
const B = address('b');
const ALICE = address('alice');
const BOB = address('bob');
const OWNED = [
  { account: A, mint: MINT, owner: ALICE, before: 1_000n, after: 0n },
  { account: B, mint: MINT, owner: BOB, before: 0n, after: 990n },
];
const METADATA_SET = metadataSet({ mint: MINT, standard: 'token2022' });

describe('Token-2022', () => {
  test('creates mints as its own', () => {
    const draft = initializeMint2({
      mint: MINT,
      decimals: 9,
      mintAuthority: ALICE,
      program: TOKEN_2022_PROGRAM,
    });
    expect(decode(draft)).toMatchObject({
      events: [{ kind: 'mintCreated', mint: MINT, tokenProgram: TOKEN_2022_PROGRAM }],
    });
  });

  test('reads the extensions of a mint', () => {
    const rate = token([MINT, ALICE], u8(33), u8(1), u16(250));
    expect(decode(rate)).toEqual({
      status: 'event',
      events: [
        {
          kind: 'mintExtension',
          outerIx: 0,
          innerIx: -1,
          mint: MINT,
          extension: { kind: 'interestBearing', rateBps: 250 },
        },
      ],
    });
    expect(decode(token([], u8(33), u8(1), u16(250))).status).toBe('malformed');
  });

  test.each([
    ['another account', [u8(1), key(BOB)], BOB],
    ['none', [u8(0)], null],
  ])('sets the permanent delegate to %s', (_, newAuthority, delegate) => {
    expect(decode(token([MINT, ALICE], u8(6), u8(8), ...newAuthority))).toMatchObject({
      events: [
        { kind: 'mintExtension', mint: MINT, extension: { kind: 'permanentDelegate', delegate } },
      ],
    });
  });

  test('has the withheld fee, stated by the instruction or missing on arrival', () => {
    const moved = { from: 'a', to: 'b', by: ALICE, amount: 1_000n };
    for (const draft of [
      transferCheckedWithFee(moved, MINT, 10n),
      transferChecked(moved, MINT, TOKEN_2022_PROGRAM),
    ]) {
      expect(decode(draft)).toEqual({
        status: 'event',
        events: [
          {
            kind: 'tokenTransfer',
            outerIx: 0,
            innerIx: -1,
            transferKind: 'transfer',
            mint: MINT,
            fromOwner: ALICE,
            toOwner: BOB,
            amountGross: 1_000n,
            feeWithheld: 10n,
          },
        ],
      });
    }
  });

  test.each([
    ['Burn', [u8(1), u64(7n)]],
    ['BurnChecked', [u8(2), u64(7n), u8(6)]],
  ])('subtracts burned tokens from the supply when burning needs permission: %s', (_, data) => {
    expect(decode(token([A, MINT, address('permission'), ALICE], u8(46), ...data))).toMatchObject({
      events: [{ transferKind: 'burn', mint: MINT, fromOwner: ALICE, amountGross: 7n }],
    });
  });
});

describe('the metadata stored on a mint', () => {
  test('begins with name, symbol and link', () => {
    const names = [text('MOO DOG'), text('MOODOG'), text('https://example.org/moo.json')];
    expect(metadata('initialize_account', [MINT, ALICE, MINT, BOB], ...names)).toEqual({
      status: 'event',
      events: [
        {
          ...METADATA_SET,
          name: 'MOO DOG',
          symbol: 'MOODOG',
          uri: 'https://example.org/moo.json',
          updateAuthority: ALICE,
        },
      ],
    });
  });

  test.each([
    ['name', 0],
    ['symbol', 1],
    ['uri', 2],
  ])('can change its %s', (field, tag) => {
    expect(metadata('updating_field', [MINT, ALICE], u8(tag), text('new'))).toEqual({
      status: 'event',
      events: [{ ...METADATA_SET, [field]: 'new' }],
    });
  });

  test('may have other keys, which are not stored', () => {
    const other = [u8(3), text('telegram'), text('t.me/moo')];
    expect(metadata('updating_field', [MINT, ALICE], ...other)).toEqual({ status: 'ignored' });
    expect(metadata('remove_key_ix', [MINT, ALICE], u8(0), text('telegram'))).toEqual({
      status: 'ignored',
    });
    expect(metadata('emitter', [MINT])).toEqual({ status: 'ignored' });
  });

  test.each([
    ['another account', BOB, BOB],
    ['none', SYSTEM_PROGRAM, null],
  ])('can pass its update authority to %s', (_, named, updateAuthority) => {
    expect(metadata('update_the_authority', [MINT, ALICE], key(named))).toEqual({
      status: 'event',
      events: [{ ...METADATA_SET, updateAuthority }],
    });
  });

  test('is reported when it is truncated', () => {
    const full = concat(hex('d2e11ea258b84d8d'), text('MOO'), text('M'), text('https://x'));
    for (let length = 8; length < full.length; length++) {
      expect(decode(token([MINT, ALICE], full.subarray(0, length))).status).toBe('malformed');
    }
    expect(decode(token([], full)).status).toBe('malformed');
    expect(metadata('updating_field', [MINT], u8(4), text('x')).status).toBe('malformed');
    expect(metadata('update_the_authority', [MINT], u16(1)).status).toBe('malformed');
  });

  test('is recognised by the hash of each instruction', () => {
    for (const [name, discriminator] of Object.entries(token2022Interfaces)) {
      const hash = createHash('sha256').update(name).digest('hex');
      expect([name, discriminator]).toEqual([name, hash.slice(0, 16)]);
    }
  });
});

/** Extensions of `TokenInstruction` in spl-token-2022, with second tags where they matter. */
const EXTENSIONS: readonly (readonly [name: string, data: readonly number[], status: string])[] = [
  ['InitializeMintCloseAuthority', [25], 'malformed'],
  ['InitializeTransferFeeConfig', [26, 0], 'malformed'],
  ['TransferCheckedWithFee', [26, 1], 'malformed'],
  ['WithdrawWithheldTokensFromMint', [26, 2], 'ignored'],
  ['WithdrawWithheldTokensFromAccounts', [26, 3], 'ignored'],
  ['HarvestWithheldTokensToMint', [26, 4], 'ignored'],
  ['SetTransferFee', [26, 5], 'malformed'],
  ['unknown instruction of the transfer fee', [26, 6], 'unknown'],
  ['ConfidentialTransfer', [27], 'ignored'],
  ['InitializeConfidentialTransferMint', [27, 0], 'malformed'],
  ['InitializeDefaultAccountState', [28, 0], 'malformed'],
  ['UpdateDefaultAccountState', [28, 1], 'malformed'],
  ['Reallocate', [29], 'ignored'],
  ['MemoTransfer', [30], 'ignored'],
  ['CreateNativeMint', [31], 'ignored'],
  ['InitializeNonTransferableMint', [32], 'event'],
  ['InitializeInterestBearingMint', [33, 0], 'malformed'],
  ['UpdateRateInterestBearingMint', [33, 1], 'malformed'],
  ['CpiGuard', [34], 'ignored'],
  ['InitializePermanentDelegate', [35], 'malformed'],
  ['InitializeTransferHook', [36, 0], 'malformed'],
  ['UpdateTransferHook', [36, 1], 'malformed'],
  ['ConfidentialTransferFee', [37], 'ignored'],
  ['WithdrawExcessLamports', [38], 'ignored'],
  ['InitializeMetadataPointer', [39, 0], 'malformed'],
  ['UpdateMetadataPointer', [39, 1], 'malformed'],
  ['GroupPointer', [40], 'ignored'],
  ['GroupMemberPointer', [41], 'ignored'],
  ['ConfidentialMintBurn', [42], 'ignored'],
  ['InitializeScaledUiAmountMint', [43, 0], 'malformed'],
  ['UpdateMultiplierScaledUiMint', [43, 1], 'malformed'],
  ['Pause', [44, 1], 'event'],
  ['Resume', [44, 2], 'event'],
  ['UnwrapLamports', [45], 'malformed'],
  ['InitializePermissionedBurn', [46, 0], 'ignored'],
  ['PermissionedBurn', [46, 1], 'malformed'],
  ['PermissionedBurnChecked', [46, 2], 'malformed'],
  ['ConfidentialPermissionedBurn', [46, 3], 'ignored'],
  ['unknown instruction of the permissioned burn', [46, 4], 'unknown'],
];

describe('the extensions', () => {
  test.each(EXTENSIONS)('%s (%j) is %s without its arguments', (_, data, status) => {
    expect(decode(token([A, B, ALICE], Uint8Array.from(data))).status).toBe(status);
  });

  test('leave the tags from 47 to 254 unknown', () => {
    for (let tag = 47; tag < 255; tag++) {
      expect(decode(token([A], u8(tag))).status).toBe('unknown');
    }
  });

  test.each([
    'spl_token_group_interface:initialize_token_group',
    'spl_token_group_interface:update_group_max_size',
    'spl_token_group_interface:update_authority',
    'spl_token_group_interface:initialize_member',
  ] as const)('%s is ignored', (name) => {
    expect(decode(token([MINT], hex(token2022Interfaces[name])))).toEqual({ status: 'ignored' });
  });

  test('never make the decoder throw', () => {
    const anything = fc.tuple(
      fc.constantFrom(
        ...Object.values(token2022Interfaces).map(hex),
        ...EXTENSIONS.map(([, data]) => Uint8Array.from(data)),
      ),
      fc.uint8Array({ maxLength: 120 }),
      fc.array(fc.constantFrom(A, B, MINT, ALICE), { maxLength: 5 }),
    );
    fc.assert(
      fc.property(anything, ([head, rest, accounts]) => {
        const { status } = decode(token(accounts, head, rest));
        expect(['event', 'ignored', 'unknown', 'malformed']).toContain(status);
      }),
    );
  });
});

function token(accounts: readonly string[], ...data: readonly Uint8Array[]): InstructionDraft {
  return { program: TOKEN_2022_PROGRAM, accounts, data: concat(...data) };
}

function metadata(
  name:
    | 'initialize_account'
    | 'updating_field'
    | 'remove_key_ix'
    | 'update_the_authority'
    | 'emitter',
  accounts: readonly string[],
  ...data: readonly Uint8Array[]
) {
  const discriminator = hex(token2022Interfaces[`spl_token_metadata_interface:${name}`]);
  return decode(token(accounts, discriminator, ...data));
}

function decode(draft: InstructionDraft) {
  return decodeDraft({ signers: [ALICE], instructions: [draft], tokenBalances: OWNED });
}
