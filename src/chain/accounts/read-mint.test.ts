import {
  getAddressEncoder,
  getBooleanEncoder,
  getOptionEncoder,
  getStructEncoder,
  getU8Encoder,
  getU32Encoder,
  getU64Encoder,
  address as kitAddress,
} from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, flag, key, text, u8, u16, u32, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  type ExtensionDraft,
  extendedMintBytes,
  mintBytes,
  splAccount,
  token2022Account,
} from '../../../tests/support/mint-accounts.ts';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../model/program.ts';
import { asSlot } from '../../model/units.ts';
import { readMint } from './read-mint.ts';

const mint = address('mint');
const [ann, bob] = [address('ann'), address('bob')];
const SLOT = asSlot(77);
const zeros = (count: number) => new Uint8Array(count);

function extensionsOf(...drafts: readonly ExtensionDraft[]) {
  const reading = readMint(mint, token2022Account(extendedMintBytes({}, drafts)), SLOT);
  return reading.status === 'ok' ? reading.mint.extensions : reading;
}

describe('a mint account', () => {
  test('is read with supply, decimals and authorities as @solana/kit writes them', () => {
    // spl-token's `Mint`, whose options have a fixed position and a tag of four bytes.
    const option = getOptionEncoder(getAddressEncoder(), {
      prefix: getU32Encoder(),
      noneValue: 'zeroes',
    });
    const encoder = getStructEncoder([
      ['mintAuthority', option],
      ['supply', getU64Encoder()],
      ['decimals', getU8Encoder()],
      ['isInitialized', getBooleanEncoder()],
      ['freezeAuthority', option],
    ]);
    const bytes = new Uint8Array(
      encoder.encode({
        mintAuthority: kitAddress(ann),
        supply: 2n ** 64n - 1n,
        decimals: 9,
        isInitialized: true,
        freezeAuthority: null,
      }),
    );
    expect(bytes).toHaveLength(82);
    expect(readMint(mint, splAccount(bytes), SLOT)).toEqual({
      status: 'ok',
      mint: {
        kind: 'mintObserved',
        contextSlot: 77,
        mint,
        tokenProgram: SPL_TOKEN_PROGRAM,
        decimals: 9,
        supplyRaw: 18_446_744_073_709_551_615n,
        mintAuthority: ann,
        freezeAuthority: null,
        extensions: [],
      },
      metadata: null,
    });
  });

  test('of Token-2022 without extensions is as long as one of the older program', () => {
    const bytes = mintBytes({ freezeAuthority: bob, supplyRaw: 5n });
    expect(readMint(mint, token2022Account(bytes), SLOT)).toMatchObject({
      mint: { tokenProgram: TOKEN_2022_PROGRAM, freezeAuthority: bob, supplyRaw: 5n },
    });
  });

  test.each([
    ['of another program', { owner: SYSTEM_PROGRAM, bytes: mintBytes() }],
    ['that was not initialised', splAccount(mintBytes({ isInitialized: 0 }))],
    ['with trailing bytes under the older program', splAccount(extendedMintBytes({}, []))],
    ['cut short', splAccount(mintBytes().subarray(0, 81))],
    ['with a tag that is neither 0 nor 1', splAccount(concat(u32(2), mintBytes().subarray(4)))],
    ['that is a token account', token2022Account(concat(mintBytes(), zeros(83), u8(2)))],
    [
      'of the length of a multisig',
      token2022Account(concat(mintBytes(), zeros(83), u8(1), zeros(355 - 166))),
    ],
    [
      'with an extension longer than the account',
      token2022Account(concat(extendedMintBytes({}, []), u16(3), u16(33), zeros(32))),
    ],
    [
      'with an extension shorter than its state',
      token2022Account(extendedMintBytes({}, [[3, zeros(31)]])),
    ],
  ])('%s is refused', (_, account) => {
    expect(readMint(mint, account, SLOT).status).toBe('refused');
  });

  test('of any bytes is read or refused, never throws, and is never read beyond its end', () => {
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.uint8Array({ maxLength: 300 }).map((tail) => concat(extendedMintBytes({}, []), tail)),
    );
    fc.assert(
      fc.property(
        anyBytes,
        fc.constantFrom(SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
        (bytes, owner) => {
          const reading = readMint(mint, { owner, bytes }, SLOT);
          if (reading.status === 'refused') return;
          expect(reading.mint.extensions.length * 4).toBeLessThanOrEqual(bytes.length);
          expect(reading.metadata?.name?.length ?? 0).toBeLessThanOrEqual(bytes.length);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('the extensions of a mint account', () => {
  const fee = (epoch: bigint, maxFeeRaw: bigint, feeBps: number) =>
    concat(u64(epoch), u64(maxFeeRaw), u16(feeBps));

  test('report a transfer fee that applies, or the later one of two that differ', () => {
    const head = zeros(72);
    expect(extensionsOf([1, concat(head, fee(3n, 500n, 25), fee(9n, 500n, 25))])).toEqual([
      { kind: 'transferFee', feeBps: 25, maxFeeRaw: 500n },
    ]);
    expect(extensionsOf([1, concat(head, fee(3n, 500n, 25), fee(9n, 600n, 9_999))])).toEqual([
      { kind: 'nextTransferFee', feeBps: 9_999, maxFeeRaw: 600n },
    ]);
  });

  test('report keys, with null for zeros', () => {
    expect(
      extensionsOf(
        [3, key(ann)],
        [4, zeros(65)],
        [6, u8(2)],
        [9, zeros(0)],
        [12, zeros(32)],
        [14, concat(key(ann), key(bob))],
        [18, concat(zeros(32), key(mint))],
        [26, concat(key(ann), flag(true))],
      ),
    ).toEqual([
      { kind: 'mintCloseAuthority', closeAuthority: ann },
      { kind: 'confidentialTransfer' },
      { kind: 'defaultAccountState', isFrozen: true },
      { kind: 'nonTransferable' },
      { kind: 'permanentDelegate', delegate: null },
      { kind: 'transferHook', hookProgram: bob },
      { kind: 'metadataPointer', metadataAddress: mint },
      { kind: 'pausable', isPaused: true },
    ]);
  });

  test('report the current rate and the multiplier that was set last', () => {
    const half = Uint8Array.from([0, 0, 0, 0, 0, 0, 0xe0, 0x3f]);
    const two = Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0x40]);
    const interest = concat(key(ann), u64(1n), u16(100), u64(2n), u16(0xff_fe));
    const scaled = (seconds: bigint) => concat(key(ann), half, u64(seconds), two);
    expect(extensionsOf([10, interest], [25, scaled(1_700_000_000n)])).toEqual([
      { kind: 'interestBearing', rateBps: -2 },
      { kind: 'scaledUiAmount', multiplier: 2, effectiveTimeMs: 1_700_000_000_000 },
    ]);
    expect(extensionsOf([25, scaled(0n)])).toEqual([
      { kind: 'scaledUiAmount', multiplier: 2, effectiveTimeMs: null },
    ]);
  });

  test('are skipped if unknown, and end at type 0', () => {
    expect(extensionsOf([999, zeros(7)], [3, key(ann)], [0, zeros(0)], [9, zeros(0)])).toEqual([
      { kind: 'mintCloseAuthority', closeAuthority: ann },
    ]);
  });

  test('contain metadata with its own authority', () => {
    const state = concat(
      key(bob),
      key(mint),
      text('Größe 🚀'),
      text('BIG'),
      text('https://x.y/z'),
      u32(1),
      text('k'),
      text('v'),
    );
    const bytes = extendedMintBytes({}, [[19, state]]);
    expect(readMint(mint, token2022Account(bytes), SLOT)).toMatchObject({
      status: 'ok',
      metadata: {
        kind: 'metadataObserved',
        contextSlot: 77,
        standard: 'token2022',
        mint,
        name: 'Größe 🚀',
        symbol: 'BIG',
        uri: 'https://x.y/z',
        updateAuthority: bob,
      },
    });
  });
});
