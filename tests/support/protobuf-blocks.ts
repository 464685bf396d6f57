import {
  getCompiledTransactionMessageDecoder,
  getSolanaErrorFromTransactionError,
  getTransactionDecoder,
} from '@solana/kit';
import bs58 from 'bs58';
import { encodeMessage, type Message } from './protobuf-messages.ts';

/** A transaction record of `getBlock`, reduced to what is converted into protocol buffers. */
interface RpcRecord {
  readonly transaction: readonly [string, string] | string;
  readonly meta: RpcMeta;
}

interface RpcMeta extends Record<string, unknown> {
  readonly err: unknown;
  readonly loadedAddresses?: { readonly writable: string[]; readonly readonly: string[] };
  readonly innerInstructions: readonly RpcInner[] | null;
}

interface RpcInner {
  readonly index: number;
  readonly instructions: readonly {
    readonly programIdIndex: number;
    readonly accounts: readonly number[];
    readonly data: string;
    readonly stackHeight: number | null;
  }[];
}

/** A `getBlock` answer with transactions in base64 or base58. */
export interface RpcBlock {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly parentSlot: number;
  readonly blockTime: number | null;
  readonly blockHeight: number;
  readonly rewards?: readonly Message[];
  readonly transactions: readonly RpcRecord[];
}

/**
 * A recorded block as a ledger stores it: transactions decoded by @solana/kit, messages written by
 * a protocol buffers library. None of the project's readers is involved.
 */
export function toConfirmedBlock(block: RpcBlock): Uint8Array {
  return encodeMessage('ConfirmedBlock', {
    previousBlockhash: block.previousBlockhash,
    blockhash: block.blockhash,
    parentSlot: block.parentSlot,
    transactions: block.transactions.map(({ transaction, meta }) => ({
      transaction: toTransaction(transaction),
      meta: toStatusMeta(meta),
    })),
    rewards: [{ pubkey: block.blockhash, lamports: -5, postBalance: 7, rewardType: 1 }],
    blockTime: block.blockTime === null ? null : { timestamp: block.blockTime },
    blockHeight: { blockHeight: block.blockHeight },
  });
}

/** The block as a Yellowstone stream sends it. */
export function toBlockUpdate(block: RpcBlock, slot: number): Message {
  return {
    slot,
    blockhash: block.blockhash,
    blockTime: block.blockTime === null ? null : { timestamp: block.blockTime },
    blockHeight: { blockHeight: block.blockHeight },
    parentSlot: block.parentSlot,
    parentBlockhash: block.previousBlockhash,
    executedTransactionCount: block.transactions.length,
    transactions: block.transactions.map(toTransactionInfo),
  };
}

export function toTransactionInfo({ transaction, meta }: RpcRecord, index: number): Message {
  const message = toTransaction(transaction);
  const { signatures } = message as { signatures: Uint8Array[] };
  return { signature: signatures[0], transaction: message, meta: toStatusMeta(meta), index };
}

function toTransaction(transaction: RpcRecord['transaction']): Message {
  const [text, encoding] = typeof transaction === 'string' ? [transaction, 'base58'] : transaction;
  const bytes = encoding === 'base58' ? bs58.decode(text) : Buffer.from(text, 'base64');
  const { signatures, messageBytes } = getTransactionDecoder().decode(bytes);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version === 1) throw new Error('no recorded block holds a v1 transaction');
  const lookups = ('addressTableLookups' in message ? message.addressTableLookups : null) ?? [];
  return {
    signatures: Object.values(signatures).map((signature) => signature ?? new Uint8Array(64)),
    message: {
      header: {
        numRequiredSignatures: message.header.numSignerAccounts,
        numReadonlySignedAccounts: message.header.numReadonlySignerAccounts,
        numReadonlyUnsignedAccounts: message.header.numReadonlyNonSignerAccounts,
      },
      accountKeys: message.staticAccounts.map(bs58.decode),
      recentBlockhash: bs58.decode(message.lifetimeToken),
      instructions: message.instructions.map((instruction) => ({
        programIdIndex: instruction.programAddressIndex,
        accounts: Uint8Array.from(instruction.accountIndices ?? []),
        data: Uint8Array.from(instruction.data ?? []),
      })),
      versioned: message.version === 0,
      addressTableLookups: lookups.map((lookup) => ({
        accountKey: bs58.decode(lookup.lookupTableAddress),
        writableIndexes: Uint8Array.from(lookup.writableIndexes),
        readonlyIndexes: Uint8Array.from(lookup.readonlyIndexes),
      })),
    },
  };
}

function toStatusMeta(meta: RpcMeta): Message {
  const { err, innerInstructions, loadedAddresses, ...rest } = meta;
  return {
    fee: rest.fee,
    preBalances: rest.preBalances,
    postBalances: rest.postBalances,
    logMessages: rest.logMessages,
    preTokenBalances: rest.preTokenBalances,
    postTokenBalances: rest.postTokenBalances,
    computeUnitsConsumed: rest.computeUnitsConsumed,
    err: err === null ? null : { err: toBincode(err) },
    innerInstructions: innerInstructions?.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) => ({
        programIdIndex,
        accounts: Uint8Array.from(accounts),
        data: bs58.decode(data),
        stackHeight,
      })),
    })),
    innerInstructionsNone: innerInstructions === null,
    loadedWritableAddresses: loadedAddresses?.writable.map(bs58.decode),
    loadedReadonlyAddresses: loadedAddresses?.readonly.map(bs58.decode),
    returnData: { programId: new Uint8Array(32), data: new Uint8Array(3) },
  };
}

/**
 * First codes of the runtime's error enums in @solana/kit, which numbers their variants from here.
 */
const TRANSACTION_ERROR_CODE = 7_050_001;
const INSTRUCTION_ERROR_CODE = 4_615_001;
/** `InstructionError` has no code of its own. */
const INSTRUCTION_ERROR_VARIANT = 8;

/** An error of `getBlock` in the bytes that the ledger stores. */
export function toBincode(err: unknown): Uint8Array {
  const { __code: code } = getSolanaErrorFromTransactionError(err as never).context;
  if (typeof err === 'object' && err !== null && 'InstructionError' in err) {
    const [index, inner] = err.InstructionError as [number, unknown];
    const custom =
      typeof inner === 'object' && inner !== null && 'Custom' in inner ? [u32(inner.Custom)] : [];
    const variant = u32(code - INSTRUCTION_ERROR_CODE);
    return Buffer.concat([u32(INSTRUCTION_ERROR_VARIANT), Buffer.of(index), variant, ...custom]);
  }
  const position = code - TRANSACTION_ERROR_CODE;
  const variant = u32(position < INSTRUCTION_ERROR_VARIANT ? position : position + 1);
  return Buffer.concat([variant, carriedBy(err)]);
}

function carriedBy(err: unknown): Uint8Array {
  if (typeof err !== 'object' || err === null) return Buffer.alloc(0);
  const [carried] = Object.values(err) as [number | { account_index: number }];
  return Buffer.of(typeof carried === 'number' ? carried : carried.account_index);
}

function u32(value: unknown): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(Number(value));
  return bytes;
}

interface StoredBlock {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly parentSlot: string;
  readonly blockTime: { readonly timestamp: string } | null;
  readonly transactions: readonly {
    readonly transaction: {
      readonly signatures: readonly Uint8Array[];
      readonly message: {
        readonly header: Message;
        readonly accountKeys: readonly Uint8Array[];
        readonly instructions: readonly StoredInstruction[];
        readonly versioned: boolean;
      };
    };
    /** Votes of the first slots were stored without it. */
    readonly meta: StoredMeta | null;
  }[];
}

interface StoredMeta extends Message {
  readonly err: { readonly err: Uint8Array } | null;
  readonly innerInstructions: readonly {
    readonly index: number;
    readonly instructions: readonly StoredInstruction[];
  }[];
}

interface StoredInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

/** A ConfirmedBlock as the library reads it, from before v0, in the JSON encoding of `getBlock`. */
export function toRpcBlock(message: Message): Message {
  const { transactions, blockTime, ...head } = message as unknown as StoredBlock;
  return {
    ...head,
    blockTime: blockTime?.timestamp ?? null,
    transactions: transactions.map(({ transaction: { signatures, message: signed }, meta }) => ({
      version: signed.versioned ? 0 : 'legacy',
      transaction: {
        signatures: signatures.map(bs58.encode),
        message: {
          header: signed.header,
          accountKeys: signed.accountKeys.map(bs58.encode),
          instructions: signed.instructions.map(toRpcInstruction),
        },
      },
      meta: meta === null ? null : toRpcMeta(meta),
    })),
  };
}

function toRpcMeta(meta: StoredMeta): Message {
  return {
    ...meta,
    err: meta.err === null ? null : toCustomError(meta.err.err),
    computeUnitsConsumed: null,
    innerInstructions: meta.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(toRpcInstruction),
    })),
  };
}

function toRpcInstruction({ programIdIndex, accounts, data }: StoredInstruction): Message {
  return { programIdIndex, accounts: [...accounts], data: bs58.encode(data) };
}

/** The only kind of error of the stored blocks' transactions, except votes. */
function toCustomError(bytes: Uint8Array): unknown {
  const err = { InstructionError: [bytes[4], { Custom: Buffer.from(bytes).readUInt32LE(9) }] };
  return Buffer.from(toBincode(err)).equals(bytes) ? err : 'another error';
}
