import {
  AccountRole,
  address,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeWire } from '../faces/write-wire.ts';
import { Random } from '../random/random.ts';
import type { AccountUse } from './account-use.ts';
import { compileMessage, type LookupTable } from './compile-message.ts';
import type { ExecutedInstruction } from './execution.ts';
import { Keyring } from './keyring.ts';
import type { SimulatedTransaction } from './simulated-transaction.ts';

const keyring = new Keyring(new Random('messages'));
const PAYER = keyring.account();
const POOL = [PAYER, ...Array.from({ length: 23 }, () => keyring.account())];
const TABLES: readonly LookupTable[] = [
  { address: keyring.account(), entries: POOL.slice(8, 16) },
  { address: keyring.account(), entries: POOL.slice(12, 20) },
];
const BLOCKHASH = keyring.blockhash();

const use = fc.record({
  address: fc.constantFrom(...POOL),
  isSigner: fc.boolean(),
  isWritable: fc.boolean(),
});
/** An outer instruction and its inner ones. */
const calls = fc.record({
  program: fc.constantFrom(...POOL),
  accounts: fc.array(use, { maxLength: 6 }),
  data: fc.uint8Array({ maxLength: 300 }),
  inner: fc.array(fc.record({ program: fc.constantFrom(...POOL), accounts: fc.array(use) }), {
    maxLength: 3,
  }),
});
const message = fc.record({
  calls: fc.array(calls, { minLength: 1, maxLength: 5 }),
  version: fc.constantFrom<'legacy' | 0>('legacy', 0),
});
type Message = typeof message extends fc.Arbitrary<infer Value> ? Value : never;

describe('compileMessage', () => {
  test('gives what an independent decoder reads for the same instructions and roles', () => {
    fc.assert(
      fc.property(message, (drawn) => {
        const executed = executedOf(drawn);
        const decompiled = readBack(transactionOf(drawn, executed));
        expect(decompiled.feePayer.address).toBe(PAYER);
        const outer = executed.filter(({ innerIx }) => innerIx < 0);
        expect(decompiled.instructions.length).toBe(outer.length);
        decompiled.instructions.forEach((instruction, index) => {
          const sent = outer[index];
          expect(instruction.programAddress).toBe(sent?.program);
          expect(Buffer.from(instruction.data ?? [])).toEqual(Buffer.from(sent?.data ?? []));
          const decoded = (instruction.accounts ?? []).map((each) => [each.address, each.role]);
          expect(decoded).toEqual(
            sent?.accounts.map((each) => [each.address, roleOf(each, executed)]),
          );
        });
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test('loads no signer and no program of an outer instruction from a table', () => {
    fc.assert(
      fc.property(message, (drawn) => {
        const executed = executedOf(drawn);
        const { staticKeys, header } = transactionOf(drawn, executed);
        const outer = executed.filter(({ innerIx }) => innerIx < 0);
        const signers = outer.flatMap(({ accounts }) => accounts.filter((each) => each.isSigner));
        const needed = [
          ...outer.map(({ program }) => program),
          ...signers.map((each) => each.address),
        ];
        expect(needed.filter((key) => !staticKeys.includes(key))).toEqual([]);
        expect(staticKeys[0]).toBe(PAYER);
        expect(header.requiredSignatures).toBeGreaterThan(0);
      }),
      { numRuns: 200, seed: 2 },
    );
  });
});

function executedOf({ calls: drawn }: Message): ExecutedInstruction[] {
  return drawn.flatMap(({ inner, ...outer }, outerIx) => [
    { ...outer, outerIx, innerIx: -1, stackHeight: 1 },
    ...inner.map((each, innerIx) => ({
      ...each,
      outerIx,
      innerIx,
      stackHeight: 2,
      data: new Uint8Array(),
    })),
  ]);
}

/** The role the runtime requires: the maximum that any instruction needs for the account. */
function roleOf(
  { address: key }: AccountUse,
  executed: readonly ExecutedInstruction[],
): AccountRole {
  const uses = executed.flatMap(({ accounts, innerIx }) =>
    accounts.filter((each) => each.address === key).map((each) => ({ ...each, innerIx })),
  );
  const isSigner = key === PAYER || uses.some((each) => each.innerIx < 0 && each.isSigner);
  const isWritable = key === PAYER || uses.some((each) => each.isWritable);
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

function transactionOf(
  { version }: Message,
  executed: readonly ExecutedInstruction[],
): SimulatedTransaction {
  const { keys, ...compiled } = compileMessage(PAYER, executed, version === 0 ? TABLES : []);
  return {
    ...compiled,
    version,
    signatures: Array.from({ length: compiled.header.requiredSignatures }, () =>
      keyring.signature(),
    ),
    isVote: false,
    recentBlockhash: BLOCKHASH,
    error: null,
    feeLamports: 0n,
    computeUnitsUsed: 0,
    lamportsBefore: keys.map(() => 0n),
    lamportsAfter: keys.map(() => 0n),
    tokenBalances: [],
    logs: [],
    facts: [],
  };
}

function readBack(transaction: SimulatedTransaction) {
  const { messageBytes } = getTransactionDecoder().decode(writeWire(transaction));
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const tables = Object.fromEntries(
    TABLES.map((table) => [table.address, table.entries.map((entry) => address(entry))]),
  );
  return decompileTransactionMessage(compiled, { addressesByLookupTableAddress: tables });
}
