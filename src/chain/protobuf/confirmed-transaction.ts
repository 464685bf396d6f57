import { AccountKeys } from '../../model/account-keys.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { ChainTransaction, TokenBalance } from '../../model/transaction.ts';
import { type Signature, signatureOfBytes } from '../../model/units.ts';
import { RecordRefusal } from '../rpc-json/json-value.ts';
import { mayLackRecords } from '../rpc-json/read-meta.ts';
import type { RecordPosition } from '../rpc-json/read-transaction.ts';
import { listInstructions } from './instructions.ts';
import type { ProtobufReader } from './protobuf-reader.ts';
import {
  checkSigned,
  emptySignedMessage,
  isSignedVote,
  readSigned,
  type SignedMessage,
  versionOf,
} from './signed-message.ts';
import { readStatusMeta, type StatusMeta } from './status-meta.ts';
import { readTokenBalances } from './token-balances.ts';

/** The location of a `Transaction` and of its `TransactionStatusMeta`. */
export interface TransactionParts {
  readonly signed: SignedMessage;
  /** Negative when there is none. */
  metaStart: number;
  metaEnd: number;
}

export function emptyParts(): TransactionParts {
  return { signed: emptySignedMessage(), metaStart: -1, metaEnd: -1 };
}

/**
 * Reads the `ConfirmedTransaction` at `[start, end)`; returns null for a vote. Throws
 * RecordRefusal, with the signature once that is known.
 */
export function readConfirmedTransaction(
  reader: ProtobufReader,
  start: number,
  end: number,
  position: RecordPosition,
): ChainTransaction | null {
  const parts = emptyParts();
  reader.enter(start, end);
  while (reader.next()) {
    if (reader.field === 1) readSigned(reader, parts.signed);
    else if (reader.field === 2) locateMeta(reader, parts);
    else reader.skip();
  }
  return readParts(reader, parts, position);
}

/** Records the location of the meta at the reader's position. */
export function locateMeta(reader: ProtobufReader, parts: TransactionParts): void {
  if (parts.metaStart >= 0) throw new RecordRefusal('bad-transaction', 'meta is there twice');
  reader.span();
  parts.metaStart = reader.start;
  parts.metaEnd = reader.end;
}

/** Reads a transaction whose parts have been located; returns null for a vote. */
export function readParts(
  reader: ProtobufReader,
  { signed, metaStart, metaEnd }: TransactionParts,
  position: RecordPosition,
): ChainTransaction | null {
  if (isSignedVote(reader, signed)) return null;
  checkSigned(signed);
  const signature = signatureOfBytes(reader.bytes, signed.signatureOffset);
  try {
    if (metaStart < 0) throw new RecordRefusal('missing-meta', 'meta is missing');
    reader.enter(metaStart, metaEnd);
    return assemble(reader, signature, signed, readStatusMeta(reader), position);
  } catch (error) {
    if (error instanceof RecordRefusal) error.signature ??= signature;
    throw error;
  }
}

function assemble(
  reader: ProtobufReader,
  signature: Signature,
  signed: SignedMessage,
  meta: StatusMeta,
  position: RecordPosition,
): ChainTransaction {
  const version = versionOf(signed);
  const keys = keysOf(reader.bytes, signed, meta);
  checkMeta(meta, keys.length, { slot: position.slot, isLegacy: version === 'legacy' });
  return new StoredTransaction(reader, signature, signed, meta, { version, keys, position });
}

/** What is known of a transaction besides its messages. */
interface StoredHead {
  readonly version: ChainTransaction['version'];
  readonly keys: AccountKeys;
  readonly position: RecordPosition;
}

/**
 * A transaction whose rarely used parts are read on first access: lamports are used only by native
 * curves, logs only by old records, token balances only by transactions that succeeded.
 */
class StoredTransaction implements ChainTransaction {
  readonly signature: Signature;
  readonly txIndex: number | null;
  readonly version: ChainTransaction['version'];
  readonly config: ChainTransaction['config'];
  readonly error: string | null;
  readonly feeLamports: bigint;
  readonly computeUnitsUsed: number | null;
  readonly keys: AccountKeys;
  readonly signerCount: number;
  readonly usesLookupTables: boolean;
  readonly instructions: readonly Instruction[];
  private readonly reader: ProtobufReader;
  private readonly meta: StatusMeta;
  private lamportsBeforeRead: readonly bigint[] | null = null;
  private lamportsAfterRead: readonly bigint[] | null = null;
  private tokenBalancesRead: readonly TokenBalance[] | null = null;
  private logMessagesRead: readonly string[] | null = null;

  constructor(
    reader: ProtobufReader,
    signature: Signature,
    signed: SignedMessage,
    meta: StatusMeta,
    { version, keys, position }: StoredHead,
  ) {
    this.signature = signature;
    this.txIndex = position.txIndex;
    this.version = version;
    this.config = signed.config;
    this.error = meta.error;
    this.feeLamports = meta.feeLamports;
    this.computeUnitsUsed = meta.computeUnitsUsed;
    this.keys = keys;
    this.signerCount = signed.signerCount;
    this.usesLookupTables = signed.writableLookups + signed.readonlyLookups > 0;
    this.instructions = listInstructions(
      reader,
      keys,
      signed.instructionSpans,
      meta.innerGroupSpans,
    );
    this.reader = reader;
    this.meta = meta;
    // Read now where they are always used, so that an invalid record is refused as a whole.
    if (meta.error === null) this.tokenBalancesRead = this.readTokenBalances();
  }

  get lamportsBefore(): readonly bigint[] {
    this.lamportsBeforeRead ??= this.reader.packedAt(this.meta.lamportsBeforeSpans);
    return this.lamportsBeforeRead;
  }

  get lamportsAfter(): readonly bigint[] {
    this.lamportsAfterRead ??= this.reader.packedAt(this.meta.lamportsAfterSpans);
    return this.lamportsAfterRead;
  }

  get tokenBalances(): readonly TokenBalance[] {
    this.tokenBalancesRead ??= this.readTokenBalances();
    return this.tokenBalancesRead;
  }

  get logMessages(): readonly string[] {
    this.logMessagesRead ??= readLogs(this.reader, this.meta.logSpans);
    return this.logMessagesRead;
  }

  private readTokenBalances(): readonly TokenBalance[] {
    const { tokensBeforeSpans, tokensAfterSpans } = this.meta;
    return readTokenBalances(this.reader, tokensBeforeSpans, tokensAfterSpans, this.keys.length);
  }
}

function readLogs(reader: ProtobufReader, spans: readonly number[]): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < spans.length; at += 2) {
    lines.push(reader.textAt(spans[at] as number, spans[at + 1] as number));
  }
  return lines;
}

/** Static keys first, then those added by lookup tables. */
function keysOf(bytes: Uint8Array, signed: SignedMessage, meta: StatusMeta): AccountKeys {
  const { loadedWritable, loadedReadonly } = meta;
  const { writableLookups, readonlyLookups } = signed;
  if (loadedWritable.length !== writableLookups || loadedReadonly.length !== readonlyLookups) {
    const found = loadedWritable.length + loadedReadonly.length;
    const message = `${found} of ${writableLookups + readonlyLookups} loaded addresses`;
    throw new RecordRefusal('missing-loaded-addresses', message);
  }
  return AccountKeys.inRecord(bytes, signed.keyOffsets.concat(loadedWritable, loadedReadonly));
}

function checkMeta(
  meta: StatusMeta,
  keyCount: number,
  age: { readonly slot: number | null; readonly isLegacy: boolean },
): void {
  for (const count of [meta.lamportsBeforeCount, meta.lamportsAfterCount]) {
    if (count === keyCount) continue;
    throw new RecordRefusal('bad-transaction', `${count} balances of ${keyCount} keys`);
  }
  const isLacking = meta.hasNoInnerRecord && meta.innerGroupSpans.length === 0;
  if (isLacking && !mayLackRecords(meta.error, age)) {
    throw new RecordRefusal('missing-meta', 'inner instructions are missing');
  }
}
