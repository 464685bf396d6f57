import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessagePriorityFeeLamports,
} from '@solana/kit';
import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { keysOfWire, readWireTransaction } from './wire-transaction.ts';

const PAYER = address('payer') as string as Address;
const WRITABLE = address('writable') as string as Address;
const PROGRAM = address('program') as string as Address;
const BLOCKHASH = address('blockhash') as string;
const CALL = {
  programAddress: PROGRAM,
  accounts: [
    { address: WRITABLE, role: AccountRole.WRITABLE },
    { address: PAYER, role: AccountRole.WRITABLE_SIGNER },
  ],
  data: new Uint8Array(300).fill(5),
};

/** What @solana/kit encodes for one call by one payer. */
function kitBytes(version: 'legacy' | 0 | 1): Uint8Array {
  const lifetime = {
    blockhash: BLOCKHASH as Parameters<
      typeof setTransactionMessageLifetimeUsingBlockhash
    >[0]['blockhash'],
    lastValidBlockHeight: 1n,
  };
  const finish = <M extends Parameters<typeof compileTransaction>[0]>(message: M) =>
    new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
  if (version === 1) {
    return finish(
      pipe(
        createTransactionMessage({ version }),
        (m) => setTransactionMessageFeePayer(PAYER, m),
        (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
        (m) => appendTransactionMessageInstruction(CALL, m),
        (m) => appendTransactionMessageInstruction({ programAddress: PROGRAM }, m),
        (m) => setTransactionMessagePriorityFeeLamports(7n, m),
        (m) => setTransactionMessageComputeUnitLimit(9, m),
      ),
    );
  }
  return finish(
    pipe(
      createTransactionMessage({ version }),
      (m) => setTransactionMessageFeePayer(PAYER, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
      (m) => appendTransactionMessageInstruction(CALL, m),
      (m) => appendTransactionMessageInstruction({ programAddress: PROGRAM }, m),
    ),
  );
}

/** Two addresses and one call of two bytes with the first of them, according to SIMD-0385. */
function handWrittenV1(mask: string, values: string): Uint8Array {
  const parts = [
    '81', // version byte
    '010001', // one signer, one readonly account
    mask,
    '77'.repeat(32), // lifetime
    '01', // instructions
    '02', // addresses
    '11'.repeat(32),
    '22'.repeat(32),
    values.replaceAll(' ', ''),
    '01010200', // program, accounts, data bytes
    '00', // accounts
    'aabb', // data
    '99'.repeat(64), // signature
  ];
  return Uint8Array.from(Buffer.from(parts.join(''), 'hex'));
}

describe('readWireTransaction', () => {
  test.each(['legacy', 0, 1] as const)('reads what @solana/kit writes as version %s', (version) => {
    const wire = readWireTransaction(kitBytes(version));
    if (wire.kind === 'fault') throw new Error(wire.reason);
    expect(wire).toMatchObject({ version, signerCount: 1, staticKeyCount: 3 });
    const keys = keysOfWire(wire, []);
    expect([keys.at(0), keys.at(1), keys.at(2)]).toEqual([PAYER, WRITABLE, PROGRAM]);
    expect(wire.instructions.map(({ programIndex }) => programIndex)).toEqual([2, 2]);
    expect(wire.instructions.map(({ accountIndexes }) => Array.from(accountIndexes))).toEqual([
      [1, 0],
      [],
    ]);
    expect(wire.instructions.map(({ data }) => data)).toEqual([CALL.data, new Uint8Array(0)]);
    const signature = wire.bytes.subarray(wire.signatureOffset, wire.signatureOffset + 64);
    expect(signature).toEqual(new Uint8Array(64));
  });

  test.each(['legacy', 0, 1] as const)('refuses version %s cut off anywhere', (version) => {
    const bytes = kitBytes(version);
    for (let length = 0; length < bytes.length; length++) {
      expect(readWireTransaction(bytes.subarray(0, length)).kind).toBe('fault');
    }
  });

  test.each(['legacy', 0, 1] as const)('refuses version %s with a byte too many', (version) => {
    const reading = readWireTransaction(Uint8Array.of(...kitBytes(version), 0));
    expect(reading).toMatchObject({ kind: 'fault', code: 'bad-transaction' });
  });

  test('reads the config that @solana/kit writes, and none in other versions', () => {
    expect(readWireTransaction(kitBytes(1))).toMatchObject({
      config: { priorityFeeLamports: 7n, computeUnitLimit: 9 },
    });
    expect(readWireTransaction(kitBytes(0))).toMatchObject({ config: null });
    expect(readWireTransaction(kitBytes('legacy'))).toMatchObject({ config: null });
  });

  test.each([
    ['00000000', '', { priorityFeeLamports: null, computeUnitLimit: null }],
    [
      '03000000',
      '0100000002000000',
      { priorityFeeLamports: 2n ** 33n + 1n, computeUnitLimit: null },
    ],
    ['04000000', 'ffffffff', { priorityFeeLamports: null, computeUnitLimit: 2 ** 32 - 1 }],
    ['18000000', '0000010000800000', { priorityFeeLamports: null, computeUnitLimit: null }],
    [
      '1f000000',
      'ffffffffffffffff10270000 00000100 00800000',
      { priorityFeeLamports: 2n ** 64n - 1n, computeUnitLimit: 10_000 },
    ],
    [
      '24000080',
      '11000000 22000000 33000000',
      { priorityFeeLamports: null, computeUnitLimit: 0x11 },
    ],
  ])('reads the config mask %s as SIMD-0385 specifies', (mask, values, config) => {
    const wire = readWireTransaction(handWrittenV1(mask, values));
    expect(wire).toMatchObject({ kind: 'transaction', version: 1, config });
    expect(wire).toMatchObject({
      instructions: [{ programIndex: 1, data: Uint8Array.of(0xaa, 0xbb) }],
      writableLookups: 0,
      readonlyLookups: 0,
    });
  });

  test.each(['01000000', '02000000', '06000000'])('refuses half a priority fee: %s', (mask) => {
    const fault = { kind: 'fault', code: 'bad-transaction', reason: 'half a priority fee' };
    expect(readWireTransaction(handWrittenV1(mask, '0000000000000000'))).toEqual(fault);
  });

  test('names an unknown version, wherever the format stores it', () => {
    const fault = (version: number) => ({
      kind: 'fault',
      code: 'unsupported-version',
      reason: `transaction version ${version}`,
    });
    expect(readWireTransaction(Uint8Array.of(0x82, 1, 2))).toEqual(fault(2));
    const bytes = kitBytes(0);
    bytes[65] = 0x83;
    expect(readWireTransaction(bytes)).toEqual(fault(3));
  });

  test('refuses account indexes beyond the keys', () => {
    const bytes = kitBytes('legacy');
    const at = bytes.lastIndexOf(2);
    expect(bytes[at]).toBe(2);
    bytes[at] = 3;
    expect(readWireTransaction(bytes)).toMatchObject({ reason: 'program index 3 of 3' });
  });

  test.each([
    ['8000', 'a length is not in its shortest form'],
    ['808000', 'a length is not in its shortest form'],
    ['808004', 'a length exceeds 16 bits'],
    ['ffff03', 'cut off at byte 71'],
  ])('refuses the key count %s', (length, reason) => {
    const bytes = Buffer.concat([
      Buffer.from([1]),
      Buffer.alloc(64),
      Buffer.from('010000', 'hex'),
      Buffer.from(length, 'hex'),
    ]);
    expect(readWireTransaction(bytes)).toMatchObject({ code: 'bad-transaction', reason });
  });

  test('accepts any bytes and stays within them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(['fault', 'transaction']).toContain(readWireTransaction(bytes).kind);
      }),
    );
  });

  test('accepts a valid transaction with any byte changed, and never exceeds its keys', () => {
    const originals = (['legacy', 0, 1] as const).map(kitBytes);
    fc.assert(
      fc.property(fc.constantFrom(...originals), fc.nat(), fc.nat(255), (original, at, value) => {
        const bytes = original.slice();
        bytes[at % bytes.length] = value;
        const wire = readWireTransaction(bytes);
        if (wire.kind === 'fault') return;
        const keyCount = wire.staticKeyCount + wire.writableLookups + wire.readonlyLookups;
        for (const { programIndex, accountIndexes } of wire.instructions) {
          expect(Math.max(programIndex, ...Array.from(accountIndexes))).toBeLessThan(keyCount);
        }
        expect(bs58.encode(wire.bytes.subarray(wire.keyOffset, wire.keyOffset + 32))).toBe(
          keysOfWire(wire, []).at(0),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
