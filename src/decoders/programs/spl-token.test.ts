import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, u8, u64 } from '../../../tests/support/borsh-bytes.ts';
import {
  address,
  type InstructionDraft,
  type TransactionDraft,
} from '../../../tests/support/build-transaction.ts';
import { decodeDraft, factsOfDraft } from '../../../tests/support/decode-draft.ts';
import {
  createMetadataAccount,
  initializeMint2,
  setAuthority,
} from '../../../tests/support/mint-instructions.ts';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import {
  batch,
  burn,
  mintTo,
  syncNative,
  transfer,
  transferChecked,
} from '../../../tests/support/token-instructions.ts';
import { readTransaction } from '../../chain/rpc-json/read-block.ts';
import { SPL_TOKEN_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';
import { decodeTransaction } from '../decode-transaction.ts';
import { Tally } from '../tally.ts';

const MINT = address('mint');
const A = address('a');
const B = address('b');
const ALICE = address('alice');
const BOB = address('bob');
const AUTHORITY = address('authority');
const RAYDIUM_CPMM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
const OWNED = [
  { account: A, mint: MINT, owner: ALICE, before: 100n },
  { account: B, mint: MINT, owner: BOB, before: 100n },
];

describe('a mint', () => {
  const event = { kind: 'mintCreated', outerIx: 0, innerIx: -1, mint: MINT, decimals: 6 };

  test('is created with both authorities, in either form of the instruction', () => {
    const draft = initializeMint2({
      mint: MINT,
      decimals: 6,
      mintAuthority: ALICE,
      freezeAuthority: BOB,
    });
    const data = concat(u8(0), draft.data?.subarray(1) ?? u8(0));
    for (const form of [draft, { ...draft, data }]) {
      expect(decode(form)).toEqual({
        status: 'event',
        events: [
          {
            ...event,
            tokenProgram: SPL_TOKEN_PROGRAM,
            mintAuthority: ALICE,
            freezeAuthority: BOB,
          },
        ],
      });
    }
  });

  test('is created without a freeze authority', () => {
    const draft = initializeMint2({ mint: MINT, decimals: 6, mintAuthority: ALICE });
    expect(decode(draft)).toMatchObject({ events: [{ ...event, freezeAuthority: null }] });
  });

  test('changes and loses its authorities', () => {
    expect(decode(setAuthority(MINT, 0, BOB))).toMatchObject({
      events: [{ kind: 'authority', mint: MINT, authorityKind: 'mint', newAuthority: BOB }],
    });
    expect(decode(setAuthority(MINT, 1))).toMatchObject({
      events: [{ kind: 'authority', mint: MINT, authorityKind: 'freeze', newAuthority: null }],
    });
  });

  test.each([2, 3, 4, 17])('is not affected by authority type %i', (authorityType) => {
    expect(decode(setAuthority(A, authorityType, BOB))).toEqual({ status: 'ignored' });
  });
});

describe('tokens', () => {
  const event = { kind: 'tokenTransfer', outerIx: 0, innerIx: -1, mint: MINT, feeWithheld: 0n };

  test('are transferred between owners', () => {
    const moved = { from: 'a', to: 'b', by: ALICE, amount: 7n };
    for (const draft of [transfer(moved), transferChecked(moved, MINT, SPL_TOKEN_PROGRAM)]) {
      expect(decode(draft)).toEqual({
        status: 'event',
        events: [
          {
            ...event,
            transferKind: 'transfer',
            fromOwner: ALICE,
            toOwner: BOB,
            amountGross: 7n,
          },
        ],
      });
    }
  });

  test('are minted to an owner and burned by one', () => {
    expect(decode(mintTo(MINT, 'b', 7n))).toEqual({
      status: 'event',
      events: [
        { ...event, transferKind: 'mintTo', fromOwner: null, toOwner: BOB, amountGross: 7n },
      ],
    });
    expect(decode(burn('a', MINT, 7n))).toEqual({
      status: 'event',
      events: [
        { ...event, transferKind: 'burn', fromOwner: ALICE, toOwner: null, amountGross: 7n },
      ],
    });
  });

  test('below a venue are its legs, unless they are minted or burned', () => {
    const statuses = [
      transfer({ from: 'a', to: 'b', by: ALICE, amount: 7n }),
      mintTo(MINT, 'b', 7n),
      burn('a', MINT, 7n),
    ].map((inner) => {
      const router = { program: address('helper'), inner: [inner] };
      const instructions = [{ program: RAYDIUM_CPMM, inner: [router] }];
      return decodeDraft({ signers: [ALICE], instructions, tokenBalances: OWNED }, 2).status;
    });
    expect(statuses).toEqual(['ignored', 'event', 'event']);
  });

  test('yield no event when the amount is zero', () => {
    expect(decode(transfer({ from: 'a', to: 'b', by: ALICE, amount: 0n }))).toEqual({
      status: 'ignored',
    });
    expect(decode(syncNative('a'))).toEqual({ status: 'ignored' });
  });

  test('of an unknown mint are reported', () => {
    const draft = transfer({ from: 'a', to: 'b', by: ALICE, amount: 7n });
    expect(decodeDraft({ signers: [ALICE], instructions: [draft] })).toEqual({
      status: 'malformed',
      reason: 'the record does not tell the mint',
    });
  });

  test('wrapping lamports are unwrapped by amount', () => {
    const tokenBalances = [{ account: A, mint: WRAPPED_SOL, owner: ALICE, before: 100n }];
    const unwrap = (...amount: readonly Uint8Array[]) =>
      decodeDraft({
        signers: [ALICE],
        instructions: [token([A, BOB, ALICE], u8(45), ...amount)],
        tokenBalances,
      });
    expect(unwrap(u8(1), u64(40n))).toMatchObject({
      // To somebody else it is a payment.
      events: [{ transferKind: 'transfer', from: ALICE, to: BOB, lamports: 40n }],
    });
    expect(unwrap(u8(0))).toEqual({ status: 'ignored' });
  });
});

/** Tags of `TokenInstruction` of spl-token 8 and of p-token, with the result without arguments. */
const TAGS: readonly (readonly [tag: number, name: string, status: string])[] = [
  [0, 'InitializeMint', 'malformed'],
  [1, 'InitializeAccount', 'ignored'],
  [2, 'InitializeMultisig', 'ignored'],
  [3, 'Transfer', 'malformed'],
  [4, 'Approve', 'ignored'],
  [5, 'Revoke', 'ignored'],
  [6, 'SetAuthority', 'malformed'],
  [7, 'MintTo', 'malformed'],
  [8, 'Burn', 'malformed'],
  [9, 'CloseAccount', 'ignored'],
  [10, 'FreezeAccount', 'ignored'],
  [11, 'ThawAccount', 'ignored'],
  [12, 'TransferChecked', 'malformed'],
  [13, 'ApproveChecked', 'ignored'],
  [14, 'MintToChecked', 'malformed'],
  [15, 'BurnChecked', 'malformed'],
  [16, 'InitializeAccount2', 'ignored'],
  [17, 'SyncNative', 'ignored'],
  [18, 'InitializeAccount3', 'ignored'],
  [19, 'InitializeMultisig2', 'ignored'],
  [20, 'InitializeMint2', 'malformed'],
  [21, 'GetAccountDataSize', 'ignored'],
  [22, 'InitializeImmutableOwner', 'ignored'],
  [23, 'AmountToUiAmount', 'ignored'],
  [24, 'UiAmountToAmount', 'ignored'],
  [38, 'WithdrawExcessLamports', 'ignored'],
  [45, 'UnwrapLamports', 'malformed'],
  [255, 'Batch', 'ignored'],
];

describe('the token program', () => {
  test.each(TAGS)('handles tag %i, %s, with %s', (tag, _, status) => {
    expect(decode(token([A, B, ALICE], u8(tag))).status).toBe(status);
  });

  test('reports every other tag as unknown', () => {
    const known = new Set(TAGS.map(([tag]) => tag));
    for (let tag = 0; tag < 256; tag++) {
      if (known.has(tag)) continue;
      const discriminator = tag.toString(16).padStart(2, '0');
      expect(decode(token([A], u8(tag)))).toEqual({ status: 'unknown', discriminator });
    }
  });

  test('reports instructions without data or with too few accounts', () => {
    expect(decode(token([A]))).toEqual({ status: 'malformed', reason: 'no data' });
    expect(decode(token([A], u8(3), u64(5n)))).toEqual({
      status: 'malformed',
      reason: 'too few accounts',
    });
    expect(decode(token([A], u8(9)))).toEqual({
      status: 'malformed',
      reason: 'too few accounts',
    });
  });

  test('decodes a batch as its parts, in order', () => {
    const draft = batch(
      initializeMint2({ mint: MINT, decimals: 6, mintAuthority: AUTHORITY }),
      mintTo(MINT, 'a', 9n),
      token([A], u8(22)),
      transfer({ from: 'a', to: 'b', by: ALICE, amount: 4n }),
      setAuthority(MINT, 0),
    );
    expect(decode(draft)).toMatchObject({
      status: 'event',
      events: [
        { kind: 'mintCreated', mint: MINT, mintAuthority: AUTHORITY },
        { kind: 'tokenTransfer', transferKind: 'mintTo', toOwner: ALICE, amountGross: 9n },
        { kind: 'tokenTransfer', transferKind: 'transfer', toOwner: BOB, amountGross: 4n },
        { kind: 'authority', mint: MINT, newAuthority: null },
      ],
    });
  });

  test('reports a batch with a part that it does not understand', () => {
    const draft = batch(mintTo(MINT, 'a', 9n), token([A], u8(99)));
    expect(decode(draft)).toEqual({ status: 'unknown', discriminator: '63' });
  });

  test('never throws, for any bytes and any number of accounts', () => {
    const anything = fc.tuple(
      fc.integer({ min: 0, max: 255 }),
      fc.uint8Array({ maxLength: 90 }),
      fc.array(fc.constantFrom(A, B, MINT, ALICE), { maxLength: 5 }),
    );
    fc.assert(
      fc.property(anything, ([tag, rest, accounts]) => {
        const result = decode(token(accounts, u8(tag), rest));
        expect(['event', 'ignored', 'unknown', 'malformed']).toContain(result.status);
      }),
    );
  });
});

/**
 * A launch as made by pump.fun: mint, metadata, the whole supply of 10^9 tokens of 6 decimals to
 * the curve, and then removal of the mint authority.
 */
test('a launch is read from its instructions', () => {
  const launch: TransactionDraft = {
    signers: [ALICE],
    instructions: [
      {
        program: address('launchpad'),
        inner: [
          initializeMint2({ mint: MINT, decimals: 6, mintAuthority: AUTHORITY }),
          createMetadataAccount({
            mint: MINT,
            name: 'MOO DOG',
            symbol: 'MOODOG',
            uri: 'https://example.org/moo.json',
            updateAuthority: AUTHORITY,
            isMutable: false,
          }),
          mintTo(MINT, 'a', 10n ** 15n),
          setAuthority(MINT, 0),
        ],
      },
    ],
    tokenBalances: [{ account: A, mint: MINT, owner: address('curve'), after: 10n ** 15n }],
  };
  expect(factsOfDraft(launch).events).toMatchObject([
    { kind: 'mintCreated', innerIx: 0, decimals: 6, mintAuthority: AUTHORITY },
    {
      kind: 'metadataSet',
      innerIx: 1,
      mint: MINT,
      name: 'MOO DOG',
      symbol: 'MOODOG',
      uri: 'https://example.org/moo.json',
      updateAuthority: AUTHORITY,
      isMutable: false,
      tokenStandard: 'Fungible',
    },
    {
      kind: 'tokenTransfer',
      innerIx: 2,
      transferKind: 'mintTo',
      toOwner: address('curve'),
      amountGross: 10n ** 15n,
    },
    { kind: 'authority', innerIx: 3, authorityKind: 'mint', newAuthority: null },
  ]);
});

test.skipIf(!hasTestData)('a recorded launch has the name that public tests expect', () => {
  const path = resolve(testData, 'chain/0xjeffro+tx-parser/solana/data/pumpfun_create_0.json');
  const [record] = JSON.parse(readFileSync(path, 'utf8'));
  const reading = readTransaction(record);
  const transaction = reading.status === 'ok' ? reading.value.transaction : null;
  if (transaction === null) throw new Error('not read');
  const mint = '5dNYcCZXEGfGgbdUdq7MMR7KLsNJLLLgL83wLH8Fpump';
  const authority = 'TSLvdd1pWpHVjahSpsvCXUbgwsL3JAcvokwaKt1eokM';
  const { events } = decodeTransaction(transaction, 0, new Tally());
  const ofToken = events.filter(({ outerIx, innerIx }) => outerIx === 3 && innerIx >= 0);
  expect(ofToken.filter(({ kind }) => kind !== 'solTransfer')).toMatchObject([
    { kind: 'mintCreated', mint, decimals: 6, mintAuthority: authority, freezeAuthority: null },
    {
      kind: 'metadataSet',
      mint,
      name: 'MOO DOG',
      symbol: 'MOODOG',
      uri: 'https://ipfs.io/ipfs/QmbeFeWTrm1u1ev5VreMoqNK4aVuxtBXKpMdTrjdnHj7P3',
    },
    { kind: 'tokenTransfer', transferKind: 'mintTo', mint, amountGross: 10n ** 15n },
    { kind: 'authority', mint, authorityKind: 'mint', newAuthority: null },
  ]);
});

function token(accounts: readonly string[], ...data: readonly Uint8Array[]): InstructionDraft {
  return { program: SPL_TOKEN_PROGRAM, accounts, data: concat(...data) };
}

function decode(draft: InstructionDraft) {
  const transaction = { signers: [ALICE], instructions: [draft], tokenBalances: OWNED };
  return decodeDraft(transaction);
}
