import { decodeBase58 } from '../../lib/base58.ts';
import type { AccountKeys } from '../../model/account-keys.ts';
import type { ChainTransaction } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';
import { isSignature, type Signature, signatureOfBytes } from '../../model/units.ts';
import { listInstructions } from './instruction-list.ts';
import { keysOfMessage, readJsonMessage } from './json-message.ts';
import { isObject, type JsonObject, objectOf, RecordRefusal } from './json-value.ts';
import { readLoadedKeys, readMeta } from './read-meta.ts';
import { isLoggedVote, isMessageVote, isWireVote } from './vote.ts';
import { keysOfWire, readWireTransaction, type WireTransaction } from './wire-transaction.ts';

/** The position of a record. */
export interface RecordPosition {
  readonly slot: number | null;
  readonly txIndex: number | null;
}

/**
 * Reads one `{transaction, meta, version}` record of any encoding; null for a vote. Throws
 * RecordRefusal, with the signature once that is known, and ImpreciseInteger.
 */
export function readTransactionRecord(
  record: JsonObject,
  position: RecordPosition,
): ChainTransaction | null {
  const { transaction, meta } = record;
  if (isObject(transaction)) return readJsonRecord(transaction, record, position);
  const bytes = readBytes(transaction, meta);
  return bytes === null ? null : readWireRecord(bytes, meta, position);
}

/** The signed part of a transaction, and what is needed to resolve its keys. */
interface SignedPart {
  readonly signature: Signature;
  readonly version: ChainTransaction['version'];
  readonly config: ChainTransaction['config'];
  readonly signerCount: number;
  readonly usesLookupTables: boolean;
  readonly writableLookups: number;
  readonly readonlyLookups: number;
  readonly instructions: readonly unknown[];
  /** The instructions are CompiledInstruction, already checked, rather than JSON. */
  readonly isCompiled: boolean;
  readonly keysWith: (loaded: readonly Address[]) => AccountKeys;
}

function readJsonRecord(
  transaction: JsonObject,
  record: JsonObject,
  position: RecordPosition,
): ChainTransaction | null {
  const signatures = transaction.signatures;
  const signature: unknown = Array.isArray(signatures) ? signatures[0] : undefined;
  return withSignature(typeof signature === 'string' ? signature : null, () => {
    const message = readJsonMessage(
      objectOf(transaction.message, 'message'),
      record.version ?? transaction.version,
    );
    if (isMessageVote(message)) return null;
    if (typeof signature !== 'string' || !isSignature(signature)) {
      throw new RecordRefusal('bad-transaction', 'the first signature is not 64 bytes of base58');
    }
    const signed: SignedPart = {
      ...message,
      signature,
      isCompiled: false,
      keysWith: (loaded) => keysOfMessage(message, loaded),
    };
    return assemble(signed, record.meta, position);
  });
}

function readWireRecord(
  bytes: Uint8Array,
  meta: unknown,
  position: RecordPosition,
): ChainTransaction | null {
  const wire = readWireTransaction(bytes);
  if (wire.kind === 'fault') throw new RecordRefusal(wire.code, wire.reason);
  if (isWireVote(wire)) return null;
  const signature = signatureOf(wire);
  return withSignature(signature, () => {
    const signed: SignedPart = {
      signature,
      version: wire.version,
      config: wire.config,
      signerCount: wire.signerCount,
      usesLookupTables: wire.writableLookups + wire.readonlyLookups > 0,
      writableLookups: wire.writableLookups,
      readonlyLookups: wire.readonlyLookups,
      instructions: wire.instructions,
      isCompiled: true,
      keysWith: (loaded) => keysOfWire(wire, loaded),
    };
    return assemble(signed, meta, position);
  });
}

function signatureOf({ bytes, signatureOffset }: WireTransaction): Signature {
  return signatureOfBytes(bytes, signatureOffset);
}

function assemble(signed: SignedPart, meta: unknown, position: RecordPosition): ChainTransaction {
  if (!isObject(meta)) throw new RecordRefusal('missing-meta', 'meta is missing');
  const loaded = readLoadedKeys(meta, signed.writableLookups, signed.readonlyLookups);
  const keys = signed.keysWith(loaded);
  const isLegacy = signed.version === 'legacy';
  const recorded = readMeta(meta, keys.length, { slot: position.slot, isLegacy });
  return {
    signature: signed.signature,
    txIndex: position.txIndex,
    version: signed.version,
    config: signed.config,
    error: recorded.error,
    feeLamports: recorded.feeLamports,
    computeUnitsUsed: recorded.computeUnitsUsed,
    keys,
    signerCount: signed.signerCount,
    usesLookupTables: signed.usesLookupTables,
    instructions: listInstructions(
      keys,
      signed.instructions,
      recorded.innerInstructions,
      signed.isCompiled,
    ),
    lamportsBefore: recorded.lamportsBefore,
    lamportsAfter: recorded.lamportsAfter,
    tokenBalances: recorded.tokenBalances,
    logMessages: recorded.logMessages,
  };
}

/** Adds the signature to a RecordRefusal thrown by `read`. */
function withSignature<T>(signature: string | null, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecordRefusal) error.signature ??= signature;
    throw error;
  }
}

/** Bytes of `[text, encoding]` or of bare base58 text; null for a vote recognised by its log. */
function readBytes(transaction: unknown, meta: unknown): Uint8Array | null {
  const [text, encoding]: unknown[] = Array.isArray(transaction)
    ? transaction
    : [transaction, 'base58'];
  if (typeof text !== 'string' || text === '') {
    throw new RecordRefusal('bad-encoding', 'transaction is neither an object nor encoded text');
  }
  if (encoding === 'base58') return isLoggedVote(meta) ? null : fromBase58(text);
  if (encoding === 'base64') return fromBase64(text);
  throw new RecordRefusal('bad-encoding', `unknown encoding ${JSON.stringify(encoding)}`);
}

function fromBase58(text: string): Uint8Array {
  const bytes = decodeBase58(text);
  if (bytes === null) throw new RecordRefusal('bad-encoding', 'transaction is not base58');
  return bytes;
}

/** Node ignores characters that are not base64; the shorter result reveals them. */
function fromBase64(text: string): Uint8Array {
  const buffer = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (text.length % 4 !== 0 || buffer.length !== (text.length * 3) / 4 - padding) {
    throw new RecordRefusal('bad-encoding', 'transaction is not base64');
  }
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}
