import { RecordRefusal } from '../rpc-json/json-value.ts';
import { appendSpan, appendTo, type ProtobufReader } from './protobuf-reader.ts';
import { INSTRUCTIONS_MAX, KEYS_MAX } from './signed-message.ts';
import { transactionErrorText } from './transaction-error.ts';

/** A `TokenBalance` message in the fields of the JSON one. */
export interface TokenBalanceEntry {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: { readonly decimals: number; readonly amount: string };
}

/** The `TransactionStatusMeta` message. Offsets and spans are into the reader's bytes. */
export interface StatusMeta {
  error: string | null;
  feeLamports: bigint;
  computeUnitsUsed: number | null;
  readonly lamportsBefore: bigint[];
  readonly lamportsAfter: bigint[];
  /** Begin and end of each group of inner instructions in turn. */
  readonly innerGroupSpans: number[];
  /** The node did not keep inner instructions. */
  hasNoInnerRecord: boolean;
  /** Begin and end of each log message in turn. */
  readonly logSpans: number[];
  readonly tokensBefore: TokenBalanceEntry[];
  readonly tokensAfter: TokenBalanceEntry[];
  readonly loadedWritable: number[];
  readonly loadedReadonly: number[];
}

const U32_MAX = 2 ** 32 - 1;
/** The runtime's own bound is 10,000 bytes of log unless a node lifts it. */
const LOG_LINES_MAX = 65_536;

/** Reads the `TransactionStatusMeta` message that stands at the reader's place. */
export function readStatusMeta(reader: ProtobufReader): StatusMeta {
  const meta: StatusMeta = {
    error: null,
    feeLamports: 0n,
    computeUnitsUsed: null,
    lamportsBefore: [],
    lamportsAfter: [],
    innerGroupSpans: [],
    hasNoInnerRecord: false,
    logSpans: [],
    tokensBefore: [],
    tokensAfter: [],
    loadedWritable: [],
    loadedReadonly: [],
  };
  while (reader.next()) {
    const readField = FIELDS[reader.field];
    if (readField === undefined) reader.skip();
    else readField(reader, meta);
  }
  return meta;
}

type ReadField = (reader: ProtobufReader, meta: StatusMeta) => void;

/** By field number. The rest (rewards, return data, costs, sizes) is nobody's business here. */
const FIELDS: readonly (ReadField | undefined)[] = [
  undefined,
  (reader, meta) => {
    meta.error = readError(reader);
  },
  (reader, meta) => {
    meta.feeLamports = reader.unsigned();
  },
  (reader, meta) => reader.appendUnsigned(meta.lamportsBefore, KEYS_MAX, 'balances'),
  (reader, meta) => reader.appendUnsigned(meta.lamportsAfter, KEYS_MAX, 'balances'),
  (reader, meta) =>
    appendSpan(reader, meta.innerGroupSpans, INSTRUCTIONS_MAX, 'groups of inner instructions'),
  (reader, meta) => appendSpan(reader, meta.logSpans, LOG_LINES_MAX, 'log messages'),
  (reader, meta) => appendToken(reader, meta.tokensBefore),
  (reader, meta) => appendToken(reader, meta.tokensAfter),
  undefined,
  (reader, meta) => {
    meta.hasNoInnerRecord = reader.isSet();
  },
  undefined,
  (reader, meta) => appendKey(reader, meta.loadedWritable),
  (reader, meta) => appendKey(reader, meta.loadedReadonly),
  undefined,
  undefined,
  (reader, meta) => {
    meta.computeUnitsUsed = reader.count(Number.MAX_SAFE_INTEGER, 'compute units');
  },
];

function appendKey(reader: ProtobufReader, offsets: number[]): void {
  appendTo(offsets, reader.spanOf(32, 'a loaded address'), KEYS_MAX, 'loaded addresses');
}

function appendToken(reader: ProtobufReader, entries: TokenBalanceEntry[]): void {
  appendTo(entries, readTokenBalance(reader), KEYS_MAX, 'token balances');
}

function readError(reader: ProtobufReader): string {
  let error = reader.bytes.subarray(0, 0);
  const outer = reader.open();
  while (reader.next()) {
    if (reader.field !== 1) reader.skip();
    else {
      reader.span();
      if (reader.end - reader.start > ERROR_BYTES_MAX) throw longError();
      error = reader.bytes.subarray(reader.start, reader.end);
    }
  }
  reader.close(outer);
  return transactionErrorText(error);
}

const ERROR_BYTES_MAX = 1_024;

function longError(): RecordRefusal {
  return new RecordRefusal('bad-transaction', `an error of more than ${ERROR_BYTES_MAX} bytes`);
}

function readTokenBalance(reader: ProtobufReader): TokenBalanceEntry {
  let accountIndex = 0;
  let [mint, owner, programId] = ['', '', ''];
  const uiTokenAmount = { decimals: 0, amount: '' };
  const outer = reader.open();
  while (reader.next()) {
    if (reader.field === 1) accountIndex = reader.count(U32_MAX, 'account index');
    else if (reader.field === 2) mint = reader.address();
    else if (reader.field === 3) readTokenAmount(reader, uiTokenAmount);
    else if (reader.field === 4) owner = reader.address();
    else if (reader.field === 5) programId = reader.address();
    else reader.skip();
  }
  reader.close(outer);
  return { accountIndex, mint, owner, programId, uiTokenAmount };
}

function readTokenAmount(
  reader: ProtobufReader,
  amount: { decimals: number; amount: string },
): void {
  const outer = reader.open();
  while (reader.next()) {
    if (reader.field === 2) amount.decimals = reader.count(U32_MAX, 'decimals');
    else if (reader.field === 3) amount.amount = reader.text();
    else reader.skip();
  }
  reader.close(outer);
}
