import type { ChainTransaction, TransactionConfig } from '../../model/transaction.ts';
import { RecordRefusal } from '../rpc-json/json-value.ts';
import { COMPUTE_BUDGET_BYTES, isKeyAt, VOTE_BYTES } from '../rpc-json/vote.ts';
import { appendSpan, appendTo, type ProtobufReader } from './protobuf-reader.ts';

/** Instructions and accounts refer to keys by one byte. */
export const KEYS_MAX = 256;
/** Far more than fits into a transaction or than the runtime executes. */
export const INSTRUCTIONS_MAX = 16_384;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const U32_MAX = 2 ** 32 - 1;

/** Locations within a `Transaction` message. Offsets are into the reader's bytes. */
export interface SignedMessage {
  signatureOffset: number;
  signatureCount: number;
  signerCount: number;
  readonly keyOffsets: number[];
  /** Start and end of each instruction alternately. */
  readonly instructionSpans: number[];
  isVersioned: boolean;
  config: TransactionConfig | null;
  writableLookups: number;
  readonlyLookups: number;
}

export function emptySignedMessage(): SignedMessage {
  return {
    signatureOffset: 0,
    signatureCount: 0,
    signerCount: 0,
    keyOffsets: [],
    instructionSpans: [],
    isVersioned: false,
    config: null,
    writableLookups: 0,
    readonlyLookups: 0,
  };
}

/** Reads the `Transaction` message at the reader's position. A second one adds to the first. */
export function readSigned(reader: ProtobufReader, signed: SignedMessage): void {
  const outer = reader.open();
  while (reader.next()) {
    if (reader.field === 1) readSignature(reader, signed);
    else if (reader.field === 2) readMessage(reader, signed);
    else reader.skip();
  }
  reader.close(outer);
}

function readSignature(reader: ProtobufReader, signed: SignedMessage): void {
  const offset = reader.spanOf(SIGNATURE_BYTES, 'a signature');
  if (signed.signatureCount === 0) signed.signatureOffset = offset;
  signed.signatureCount++;
}

function readMessage(reader: ProtobufReader, signed: SignedMessage): void {
  const outer = reader.open();
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        readHeader(reader, signed);
        break;
      case 2:
        appendTo(signed.keyOffsets, reader.spanOf(KEY_BYTES, 'a key'), KEYS_MAX, 'keys');
        break;
      case 4:
        appendSpan(reader, signed.instructionSpans, INSTRUCTIONS_MAX, 'instructions');
        break;
      case 5:
        signed.isVersioned = reader.isSet();
        break;
      case 6:
        readLookup(reader, signed);
        break;
      case 7:
        signed.config = readConfig(reader, signed.config);
        break;
      default:
        reader.skip();
    }
  }
  reader.close(outer);
}

function readHeader(reader: ProtobufReader, signed: SignedMessage): void {
  const outer = reader.open();
  while (reader.next()) {
    if (reader.field === 1) signed.signerCount = reader.count(U32_MAX, 'signer count');
    else reader.skip();
  }
  reader.close(outer);
}

function readLookup(reader: ProtobufReader, signed: SignedMessage): void {
  const outer = reader.open();
  while (reader.next()) {
    const { field } = reader;
    if (field !== 2 && field !== 3) {
      reader.skip();
      continue;
    }
    reader.span();
    const count = reader.end - reader.start;
    if (field === 2) signed.writableLookups += count;
    else signed.readonlyLookups += count;
  }
  reader.close(outer);
}

function readConfig(reader: ProtobufReader, known: TransactionConfig | null): TransactionConfig {
  let { priorityFeeLamports = null, computeUnitLimit = null } = known ?? {};
  const outer = reader.open();
  while (reader.next()) {
    if (reader.field === 1) priorityFeeLamports = reader.unsigned();
    else if (reader.field === 2) computeUnitLimit = reader.count(U32_MAX, 'compute unit limit');
    else reader.skip();
  }
  reader.close(outer);
  return { priorityFeeLamports, computeUnitLimit };
}

/** The version, which follows from the contents of the message: only v1 has a config. */
export function versionOf(signed: SignedMessage): ChainTransaction['version'] {
  if (signed.config !== null) return 1;
  return signed.isVersioned ? 0 : 'legacy';
}

/** Refuses a message that is well-formed but invalid. */
export function checkSigned(signed: SignedMessage): void {
  const { signerCount, signatureCount, keyOffsets } = signed;
  if (signatureCount === 0) throw new RecordRefusal('bad-transaction', 'no signature');
  if (signatureCount !== signerCount) {
    throw new RecordRefusal('bad-transaction', 'signatures do not match the header');
  }
  if (signerCount > keyOffsets.length) {
    const message = `${signerCount} signers of ${keyOffsets.length} keys`;
    throw new RecordRefusal('bad-transaction', message);
  }
  if (versionOf(signed) !== 0 && signed.writableLookups + signed.readonlyLookups > 0) {
    const message = `address lookups in a transaction of version ${versionOf(signed)}`;
    throw new RecordRefusal('bad-transaction', message);
  }
}

/** True when it calls the vote program and, apart from compute budget, no other. */
export function isSignedVote(reader: ProtobufReader, signed: SignedMessage): boolean {
  const { keyOffsets, instructionSpans } = signed;
  let votes = 0;
  for (let at = 0; at < instructionSpans.length; at += 2) {
    reader.enter(instructionSpans[at] as number, instructionSpans[at + 1] as number);
    const keyOffset = keyOffsets[readProgramIndex(reader)];
    if (keyOffset === undefined) return false;
    if (isKeyAt(reader.bytes, keyOffset, VOTE_BYTES)) votes++;
    else if (!isKeyAt(reader.bytes, keyOffset, COMPUTE_BUDGET_BYTES)) return false;
  }
  return votes > 0;
}

function readProgramIndex(reader: ProtobufReader): number {
  let programIndex = 0;
  while (reader.next()) {
    if (reader.field === 1) programIndex = reader.count(U32_MAX, 'program index');
    else reader.skip();
  }
  return programIndex;
}
