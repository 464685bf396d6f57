import { encodeBase58 } from '../../lib/base58.ts';
import { AccountKeys } from '../../model/account-keys.ts';
import type { ChainTransaction } from '../../model/transaction.ts';
import type { Signature } from '../../model/units.ts';
import { RecordRefusal } from '../rpc-json/json-value.ts';
import { mayLackRecords } from '../rpc-json/read-meta.ts';
import type { RecordPlace } from '../rpc-json/read-transaction.ts';
import { mergeTokenBalances } from '../rpc-json/token-balances.ts';
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

/** A `Transaction` that has been located, and where its `TransactionStatusMeta` stands. */
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
 * Reads a `ConfirmedTransaction` that stands from `start` to `end`; null for a vote. Throws
 * RecordRefusal, with the signature as soon as that is known.
 */
export function readConfirmedTransaction(
  reader: ProtobufReader,
  start: number,
  end: number,
  place: RecordPlace,
): ChainTransaction | null {
  const parts = emptyParts();
  reader.enter(start, end);
  while (reader.next()) {
    if (reader.field === 1) readSigned(reader, parts.signed);
    else if (reader.field === 2) locateMeta(reader, parts);
    else reader.skip();
  }
  return readParts(reader, parts, place);
}

/** Notes where the meta that the reader is at stands. */
export function locateMeta(reader: ProtobufReader, parts: TransactionParts): void {
  if (parts.metaStart >= 0) throw new RecordRefusal('bad-transaction', 'meta stands there twice');
  reader.span();
  parts.metaStart = reader.start;
  parts.metaEnd = reader.end;
}

/** Reads a transaction whose parts have been located; null for a vote. */
export function readParts(
  reader: ProtobufReader,
  { signed, metaStart, metaEnd }: TransactionParts,
  place: RecordPlace,
): ChainTransaction | null {
  if (isSignedVote(reader, signed)) return null;
  checkSigned(signed);
  const { signatureOffset } = signed;
  const signature = encodeBase58(reader.bytes, signatureOffset, signatureOffset + 64) as Signature;
  try {
    if (metaStart < 0) throw new RecordRefusal('missing-meta', 'meta is missing');
    reader.enter(metaStart, metaEnd);
    return assemble(reader, signature, signed, readStatusMeta(reader), place);
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
  place: RecordPlace,
): ChainTransaction {
  const version = versionOf(signed);
  const keys = keysOf(reader.bytes, signed, meta);
  checkMeta(meta, keys.length, { slot: place.slot, isLegacy: version === 'legacy' });
  let logMessages: readonly string[] | null = null;
  return {
    signature,
    txIndex: place.txIndex,
    version,
    config: signed.config,
    error: meta.error,
    feeLamports: meta.feeLamports,
    computeUnitsUsed: meta.computeUnitsUsed,
    keys,
    signerCount: signed.signerCount,
    usesLookupTables: signed.writableLookups + signed.readonlyLookups > 0,
    instructions: listInstructions(reader, keys, signed.instructionSpans, meta.innerGroupSpans),
    lamportsBefore: meta.lamportsBefore,
    lamportsAfter: meta.lamportsAfter,
    tokenBalances: mergeTokenBalances(meta.tokensBefore, meta.tokensAfter, keys.length),
    /** Read when first asked for, since few transactions' logs ever are. */
    get logMessages() {
      logMessages ??= readLogs(reader, meta.logSpans);
      return logMessages;
    },
  };
}

function readLogs(reader: ProtobufReader, spans: readonly number[]): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < spans.length; at += 2) {
    lines.push(reader.textAt(spans[at] as number, spans[at + 1] as number));
  }
  return lines;
}

/** Copies the keys side by side, static ones first, then those that lookup tables added. */
function keysOf(bytes: Uint8Array, signed: SignedMessage, meta: StatusMeta): AccountKeys {
  const { loadedWritable, loadedReadonly } = meta;
  const { writableLookups, readonlyLookups } = signed;
  if (loadedWritable.length !== writableLookups || loadedReadonly.length !== readonlyLookups) {
    const found = loadedWritable.length + loadedReadonly.length;
    const message = `${found} of ${writableLookups + readonlyLookups} loaded addresses`;
    throw new RecordRefusal('missing-loaded-addresses', message);
  }
  const offsets = signed.keyOffsets.concat(loadedWritable, loadedReadonly);
  const copy = new Uint8Array(offsets.length * 32);
  for (let index = 0; index < offsets.length; index++) {
    const from = offsets[index] as number;
    for (let at = 0; at < 32; at++) copy[index * 32 + at] = bytes[from + at] as number;
  }
  return AccountKeys.ofBytes(copy, 0, offsets.length, []);
}

function checkMeta(
  meta: StatusMeta,
  keyCount: number,
  age: { readonly slot: number | null; readonly isLegacy: boolean },
): void {
  for (const { length } of [meta.lamportsBefore, meta.lamportsAfter]) {
    if (length === keyCount) continue;
    throw new RecordRefusal('bad-transaction', `${length} balances of ${keyCount} keys`);
  }
  const isLacking = meta.hasNoInnerRecord && meta.innerGroupSpans.length === 0;
  if (isLacking && !mayLackRecords(meta.error, age)) {
    throw new RecordRefusal('missing-meta', 'inner instructions are missing');
  }
}
