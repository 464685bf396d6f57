import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, key, u8, u16, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import type { MintExtensionFact } from '../../model/mint-extension.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import { isMintExtension, readMintExtension } from './mint-extensions.ts';

const ALICE = address('alice');
const SOMETHING = address('something');
const ZERO_KEY = key(SYSTEM_PROGRAM);
const SOMEBODY = concat(u8(1), key(ALICE));

/** Instruction name, data as laid out by the program's interface, and the resulting fact. */
const CASES: readonly (readonly [string, Uint8Array, object])[] = [
  [
    'InitializeMintCloseAuthority',
    concat(u8(25), SOMEBODY),
    { kind: 'mintCloseAuthority', closeAuthority: ALICE },
  ],
  [
    'InitializeTransferFeeConfig with both authorities',
    concat(u8(26), u8(0), SOMEBODY, SOMEBODY, u16(350), u64(5_000n)),
    { kind: 'transferFee', feeBps: 350, maxFeeRaw: 5_000n },
  ],
  [
    'InitializeTransferFeeConfig with one authority',
    concat(u8(26), u8(0), u8(0), SOMEBODY, u16(10_000), u64(2n ** 64n - 1n)),
    { kind: 'transferFee', feeBps: 10_000, maxFeeRaw: 2n ** 64n - 1n },
  ],
  [
    'SetTransferFee',
    concat(u8(26), u8(5), u16(100), u64(7n)),
    { kind: 'nextTransferFee', feeBps: 100, maxFeeRaw: 7n },
  ],
  [
    'ConfidentialTransfer InitializeMint',
    concat(u8(27), u8(0), key(ALICE), u8(1), ZERO_KEY),
    { kind: 'confidentialTransfer' },
  ],
  [
    'DefaultAccountState Initialize, frozen',
    concat(u8(28), u8(0), u8(2)),
    { kind: 'defaultAccountState', isFrozen: true },
  ],
  [
    'DefaultAccountState Update, initialized',
    concat(u8(28), u8(1), u8(1)),
    { kind: 'defaultAccountState', isFrozen: false },
  ],
  ['InitializeNonTransferableMint', u8(32), { kind: 'nonTransferable' }],
  [
    'InterestBearingMint Initialize',
    concat(u8(33), u8(0), key(ALICE), i16(500)),
    { kind: 'interestBearing', rateBps: 500 },
  ],
  [
    'InterestBearingMint UpdateRate to less than nothing',
    concat(u8(33), u8(1), i16(-32_768)),
    { kind: 'interestBearing', rateBps: -32_768 },
  ],
  [
    'InitializePermanentDelegate',
    concat(u8(35), key(ALICE)),
    { kind: 'permanentDelegate', delegate: ALICE },
  ],
  [
    'TransferHook Initialize',
    concat(u8(36), u8(0), key(ALICE), key(SOMETHING)),
    { kind: 'transferHook', hookProgram: SOMETHING },
  ],
  [
    'TransferHook Update to none',
    concat(u8(36), u8(1), ZERO_KEY),
    { kind: 'transferHook', hookProgram: null },
  ],
  [
    'MetadataPointer Initialize',
    concat(u8(39), u8(0), ZERO_KEY, key(SOMETHING)),
    { kind: 'metadataPointer', metadataAddress: SOMETHING },
  ],
  [
    'MetadataPointer Update',
    concat(u8(39), u8(1), key(SOMETHING)),
    { kind: 'metadataPointer', metadataAddress: SOMETHING },
  ],
  [
    'ScaledUiAmount Initialize',
    concat(u8(43), u8(0), key(ALICE), f64(1.5)),
    { kind: 'scaledUiAmount', multiplier: 1.5, effectiveTimeMs: null },
  ],
  [
    'ScaledUiAmount UpdateMultiplier from a time on',
    concat(u8(43), u8(1), f64(0.1), u64(1_767_225_600n)),
    { kind: 'scaledUiAmount', multiplier: 0.1, effectiveTimeMs: Date.UTC(2026, 0, 1) },
  ],
  [
    'ScaledUiAmount UpdateMultiplier at once',
    concat(u8(43), u8(1), f64(3), u64(0n)),
    { kind: 'scaledUiAmount', multiplier: 3, effectiveTimeMs: null },
  ],
  ['Pausable Initialize', concat(u8(44), u8(0), key(ALICE)), { kind: 'pausable', isPaused: false }],
  ['Pausable Pause', concat(u8(44), u8(1)), { kind: 'pausable', isPaused: true }],
  ['Pausable Resume', concat(u8(44), u8(2)), { kind: 'pausable', isPaused: false }],
];

describe('an extension of a mint', () => {
  test.each(CASES)('is read from %s', (_, data, fact) => {
    expect(isMintExtension(data)).toBe(true);
    expect(readMintExtension(data)).toEqual(fact);
  });

  test.each(CASES)('is not read from truncated data: %s', (_, data, fact) => {
    const tags = data.length === 1 ? 1 : 2;
    const shorter = Array.from({ length: data.length - tags }, (__, at) =>
      data.slice(0, tags + at),
    );
    const facts = shorter.map(readMintExtension).filter((read) => read !== null);
    // Pausing is fully stated by its tags; the following bytes name the authority.
    const isInTags = (fact as MintExtensionFact).kind === 'pausable';
    expect(facts).toEqual(isInTags ? shorter.map(() => fact) : []);
  });

  test('rejects a multiplier that is not a number', () => {
    const update = (multiplier: number) => concat(u8(43), u8(1), f64(multiplier), u64(0n));
    expect(readMintExtension(update(Number.NaN))).toBeNull();
    expect(readMintExtension(update(Number.POSITIVE_INFINITY))).toBeNull();
  });

  test('is not read from instructions that only move, reallocate or concern accounts', () => {
    const others = [3, 12, 29, 30, 31, 34, 37, 38, 40, 41, 42, 45, 46].map((tag) => [tag, 0]);
    const seconds = [
      [26, 1],
      [26, 2],
      [26, 3],
      [26, 4],
      [27, 1],
      [28, 2],
      [33, 2],
      [36, 2],
      [39, 2],
      [43, 2],
      [44, 3],
      [25],
    ];
    const known = [...others, ...seconds].map((data) => isMintExtension(Uint8Array.from(data)));
    expect(known).toEqual([...others, ...seconds].map(([tag]) => tag === 25));
  });

  test('is read from any bytes without throwing, and only from known instructions', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (data) => {
        const fact = readMintExtension(data);
        expect(fact === null || isMintExtension(data)).toBe(true);
      }),
    );
  });
});

function i16(value: number): Uint8Array {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16LE(value);
  return bytes;
}

function f64(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
