import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeBase58 } from '../../src/lib/base58.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../src/model/program.ts';
import { pumpLife } from '../../tests/support/pump-life.ts';
import { hasTestData, testData } from '../../tests/support/test-data.ts';

interface RecordedInstruction {
  readonly programIdIndex: number;
  readonly data: string;
  readonly stackHeight: number;
}

interface RecordedTransaction {
  readonly meta: {
    readonly innerInstructions: readonly {
      readonly index: number;
      readonly instructions: readonly RecordedInstruction[];
    }[];
    readonly loadedAddresses?: { readonly writable: string[]; readonly readonly: string[] };
  };
  readonly transaction: { readonly message: { readonly accountKeys: string[] } };
}

interface Call {
  readonly stackHeight: number;
  readonly program: string;
  readonly data: Uint8Array;
}

/**
 * GetAccountDataSize and InitializeImmutableOwner, which the simulated token accounts do without.
 */
const SIZES_AND_OWNERS = new Set([21, 22]);

/** Depth, program and the part of the data that identifies the instruction. */
function shapeOf(calls: readonly Call[]): string[] {
  return calls.flatMap(({ stackHeight, program, data }) => {
    const isToken = program === SPL_TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
    if (isToken && SIZES_AND_OWNERS.has(data[0] ?? -1)) return [];
    const tagBytes = isToken ? 1 : program === SYSTEM_PROGRAM ? 4 : 16;
    // Create and CreateIdempotent create the same account.
    const tag =
      program === ASSOCIATED_TOKEN_PROGRAM ? '' : Buffer.from(data).toString('hex', 0, tagBytes);
    const isLong = tagBytes === 16 && !tag.startsWith('e445a52e51cb9a1d');
    return [`${stackHeight} ${program} ${isLong ? tag.slice(0, 2) : tag}`];
  });
}

function recordedBelow(file: string, outerIx: number): string[] {
  const path = join(testData, 'chain/jiangxiaop+solana-swap-scan/test', file);
  const json = JSON.parse(readFileSync(path, 'utf8'));
  const { meta, transaction }: RecordedTransaction = json.result ?? json;
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
  const keys = [...transaction.message.accountKeys, ...writable, ...readonly];
  const inner = meta.innerInstructions.find(({ index }) => index === outerIx);
  return shapeOf(
    (inner?.instructions ?? []).map(({ programIdIndex, data, stackHeight }) => ({
      stackHeight,
      program: keys[programIdIndex] ?? '',
      data: decodeBase58(data) ?? new Uint8Array(),
    })),
  );
}

describe.skipIf(!hasTestData)('the calls of a classic launch', () => {
  const text = { name: 'costco', symbol: 'COSTCO', uri: 'https://ipfs.io/ipfs/Qmc4' };
  const { stage } = pumpLife('create', text);
  const below = (logLine: string) => {
    const execution = stage.executions.find(({ logs }) => logs.includes(logLine));
    return shapeOf((execution?.instructions ?? []).filter(({ innerIx }) => innerIx >= 0));
  };

  it('equal those of the recorded launch a9tyifZa…, one by one', () => {
    const recorded = recordedBelow('pumpfun/pumpfun-create-token.json', 2);
    expect(recorded.length).toBeGreaterThan(10);
    expect(below('Program log: Instruction: Create')).toEqual(recorded);
  });

  it('equal at its migration those of the recorded one 2ffHb9AX…, one by one', () => {
    const recorded = recordedBelow('pumpswap/pumpswap-create.json', 0);
    expect(recorded.length).toBeGreaterThan(20);
    expect(below('Program log: Instruction: Migrate')).toEqual(recorded);
  });
});
