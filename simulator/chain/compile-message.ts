import type { Address } from '../../src/model/units.ts';
import type { ExecutedInstruction } from './execution.ts';
import type { CompiledInstruction, MessageHeader, TableLookup } from './simulated-transaction.ts';

/** The contents of an address lookup table on chain. */
export interface LookupTable {
  readonly address: Address;
  readonly entries: readonly Address[];
}

export interface CompiledMessage {
  readonly header: MessageHeader;
  readonly staticKeys: readonly Address[];
  readonly loadedWritable: readonly Address[];
  readonly loadedReadonly: readonly Address[];
  readonly lookups: readonly TableLookup[];
  /** All keys: static, loaded for writing, loaded for reading. */
  readonly keys: readonly Address[];
  readonly instructions: readonly CompiledInstruction[];
}

interface KeyUse {
  isSigner: boolean;
  isWritable: boolean;
  /** Programs of outer instructions must not come from a table. */
  isOuterProgram: boolean;
}

/**
 * Lays out a message as the runtime requires: the payer, other signers, then the rest, each part
 * with writable keys before read-only ones. With tables, unsigned keys found in them are loaded
 * from there. Inner instructions add no signers: they are signed for by program addresses.
 */
export function compileMessage(
  feePayer: Address,
  executed: readonly ExecutedInstruction[],
  tables: readonly LookupTable[],
): CompiledMessage {
  const uses = usesOf(feePayer, executed);
  const loaded = loadedFrom(tables, uses);
  const parts = { writableSigners: [], readSigners: [], writable: [], read: [] } as Record<
    'writableSigners' | 'readSigners' | 'writable' | 'read',
    Address[]
  >;
  for (const [address, { isSigner, isWritable }] of uses) {
    if (loaded.isLoaded.has(address)) continue;
    if (isSigner) parts[isWritable ? 'writableSigners' : 'readSigners'].push(address);
    else parts[isWritable ? 'writable' : 'read'].push(address);
  }
  const { writableSigners, readSigners, writable, read } = parts;
  const staticKeys = [...writableSigners, ...readSigners, ...writable, ...read];
  const keys = [...staticKeys, ...loaded.writable, ...loaded.readonly];
  return {
    header: {
      requiredSignatures: writableSigners.length + readSigners.length,
      readonlySigned: readSigners.length,
      readonlyUnsigned: read.length,
    },
    staticKeys,
    loadedWritable: loaded.writable,
    loadedReadonly: loaded.readonly,
    lookups: loaded.lookups,
    keys,
    instructions: compileInstructions(executed, keys),
  };
}

function usesOf(feePayer: Address, executed: readonly ExecutedInstruction[]): Map<Address, KeyUse> {
  const uses = new Map<Address, KeyUse>();
  uses.set(feePayer, { isSigner: true, isWritable: true, isOuterProgram: false });
  for (const { program, accounts, innerIx } of executed) {
    const isOuter = innerIx < 0;
    for (const { address, isSigner, isWritable } of accounts) {
      const use = useOf(uses, address);
      if (isOuter && isSigner) use.isSigner = true;
      if (isWritable) use.isWritable = true;
    }
    const use = useOf(uses, program);
    if (isOuter) use.isOuterProgram = true;
  }
  return uses;
}

function useOf(uses: Map<Address, KeyUse>, address: Address): KeyUse {
  let use = uses.get(address);
  if (use === undefined) {
    use = { isSigner: false, isWritable: false, isOuterProgram: false };
    uses.set(address, use);
  }
  return use;
}

function loadedFrom(tables: readonly LookupTable[], uses: ReadonlyMap<Address, KeyUse>) {
  const isLoaded = new Set<Address>();
  const writable: Address[] = [];
  const readonly: Address[] = [];
  const lookups: TableLookup[] = [];
  for (const { address: table, entries } of tables) {
    const writableIndexes: number[] = [];
    const readonlyIndexes: number[] = [];
    entries.forEach((address, index) => {
      const use = uses.get(address);
      if (use === undefined || use.isSigner || use.isOuterProgram || isLoaded.has(address)) return;
      isLoaded.add(address);
      (use.isWritable ? writable : readonly).push(address);
      (use.isWritable ? writableIndexes : readonlyIndexes).push(index);
    });
    if (writableIndexes.length + readonlyIndexes.length > 0) {
      lookups.push({ table, writableIndexes, readonlyIndexes });
    }
  }
  return { isLoaded, writable, readonly, lookups };
}

function compileInstructions(
  executed: readonly ExecutedInstruction[],
  keys: readonly Address[],
): CompiledInstruction[] {
  const indexOf = new Map(keys.map((address, index) => [address, index]));
  const at = (address: Address): number => indexOf.get(address) as number;
  return executed.map(({ outerIx, innerIx, stackHeight, program, accounts, data }) => ({
    outerIx,
    innerIx,
    stackHeight,
    programIndex: at(program),
    accountIndexes: accounts.map(({ address }) => at(address)),
    data,
  }));
}
