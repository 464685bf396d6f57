import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rebuildInstruction } from '../../src/chain/rpc-json/parsed-instruction.ts';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../src/model/program.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import { hasTestData, testData } from '../../tests/support/test-data.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import { Keyring } from '../chain/keyring.ts';
import { Random } from '../random/random.ts';
import { parseInstruction } from './parse-instruction.ts';

interface Recorded {
  readonly program: string;
  readonly programId: Address;
  readonly parsed: { readonly type: string; readonly info: Record<string, unknown> };
}

/** Every instruction that a node has parsed in the recorded data. */
function recordedInstructions(): Recorded[] {
  const found: Recorded[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { program, programId, parsed } = value as Partial<Recorded>;
    if (program !== undefined && programId !== undefined && typeof parsed === 'object') {
      found.push({ program, programId, parsed });
    }
    for (const part of Object.values(value)) visit(part);
  };
  for (const path of globSync('chain/**/*.json', { cwd: testData })) {
    const text = readFileSync(join(testData, path), 'utf8');
    if (text.includes('"parsed"')) visit(JSON.parse(text));
  }
  return found;
}

describe('a parsed instruction', () => {
  test.skipIf(!hasTestData)('equals what nodes returned for the same bytes, if supported', () => {
    const kinds = new Map<string, number>();
    for (const { program, programId, parsed } of recordedInstructions()) {
      const rebuilt = rebuildInstruction(programId, parsed);
      if (rebuilt === null) continue;
      const made = parseInstruction(programId, rebuilt.accounts.map(asAddress), rebuilt.data);
      if (made === null) continue;
      expect(JSON.parse(JSON.stringify(made))).toEqual({
        program,
        parsed: { type: parsed.type, info: parsed.info },
      });
      kinds.set(parsed.type, (kinds.get(parsed.type) ?? 0) + 1);
    }
    expect([...kinds.keys()].sort()).toEqual([
      'allocate',
      'assign',
      'burn',
      'closeAccount',
      'create',
      'createAccount',
      'createIdempotent',
      'initializeAccount3',
      'initializeImmutableOwner',
      'initializeMint2',
      'mintTo',
      'setAuthority',
      'syncNative',
      'transfer',
      'transferChecked',
    ]);
  });

  test('has its fields sorted by name', () => {
    const [one, other] = accounts(2);
    const transfer = new InstructionBytes()
      .u32(2)
      .u64(2n ** 63n)
      .done();
    const parsed = parseInstruction(SYSTEM_PROGRAM, [one, other], transfer);
    expect(JSON.stringify(parsed)).toBe(
      `{"parsed":{"info":{"destination":"${other}","lamports":9223372036854775808,` +
        `"source":"${one}"},"type":"transfer"},"program":"system"}`,
    );
  });

  test.each([
    ['of another length', 2, '030000000000000000ff'],
    ['with accounts more than the kind has', 4, '030100000000000000'],
    ['without data', 3, ''],
    ['of an unknown kind', 3, 'fe'],
    ['with a flag that is neither', 2, '060002'],
    ['that gives up what the simulation does not know', 2, '060200'],
  ])('stays partially decoded %s', (_, count, hex) => {
    expect(
      parseInstruction(SPL_TOKEN_PROGRAM, accounts(count), Buffer.from(hex, 'hex')),
    ).toBeNull();
  });
});

function accounts(count: number): [Address, Address, ...Address[]] {
  const keyring = new Keyring(new Random('accounts'));
  const more = Array.from({ length: count - 2 }, () => keyring.account());
  return [keyring.account(), keyring.account(), ...more];
}
