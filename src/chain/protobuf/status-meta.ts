import { RecordRefusal } from '../rpc-json/json-value.ts';
import { appendSpan, appendTo, type ProtobufReader, tooMany } from './protobuf-reader.ts';
import { INSTRUCTIONS_MAX, KEYS_MAX } from './signed-message.ts';
import { transactionErrorText } from './transaction-error.ts';

/** The `TransactionStatusMeta` message. Offsets and spans are into the reader's bytes. */
export interface StatusMeta {
  error: string | null;
  feeLamports: bigint;
  computeUnitsUsed: number | null;
  /** Account balances: start and end of each run of integers alternately, and their number. */
  readonly lamportsBeforeSpans: number[];
  readonly lamportsAfterSpans: number[];
  lamportsBeforeCount: number;
  lamportsAfterCount: number;
  /** Start and end of each group of inner instructions alternately. */
  readonly innerGroupSpans: number[];
  /** The node did not keep inner instructions. */
  hasNoInnerRecord: boolean;
  /** Start and end of each log message alternately. */
  readonly logSpans: number[];
  /** Start and end of each `TokenBalance` message alternately. */
  readonly tokensBeforeSpans: number[];
  readonly tokensAfterSpans: number[];
  readonly loadedWritable: number[];
  readonly loadedReadonly: number[];
}

/** The runtime bounds logs at 10,000 bytes unless a node lifts the bound. */
const LOG_LINES_MAX = 65_536;

/** Reads the `TransactionStatusMeta` message at the reader's position. */
export function readStatusMeta(reader: ProtobufReader): StatusMeta {
  const meta: StatusMeta = {
    error: null,
    feeLamports: 0n,
    computeUnitsUsed: null,
    lamportsBeforeSpans: [],
    lamportsAfterSpans: [],
    lamportsBeforeCount: 0,
    lamportsAfterCount: 0,
    innerGroupSpans: [],
    hasNoInnerRecord: false,
    logSpans: [],
    tokensBeforeSpans: [],
    tokensAfterSpans: [],
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

/** By field number. The other fields (rewards, return data, costs, sizes) are not used. */
const FIELDS: readonly (ReadField | undefined)[] = [
  undefined,
  (reader, meta) => {
    meta.error = readError(reader);
  },
  (reader, meta) => {
    meta.feeLamports = reader.unsigned();
  },
  (reader, meta) => {
    meta.lamportsBeforeCount += reader.locateUnsigned(meta.lamportsBeforeSpans);
    if (meta.lamportsBeforeCount > KEYS_MAX) throw tooMany(KEYS_MAX, 'balances');
  },
  (reader, meta) => {
    meta.lamportsAfterCount += reader.locateUnsigned(meta.lamportsAfterSpans);
    if (meta.lamportsAfterCount > KEYS_MAX) throw tooMany(KEYS_MAX, 'balances');
  },
  (reader, meta) =>
    appendSpan(reader, meta.innerGroupSpans, INSTRUCTIONS_MAX, 'groups of inner instructions'),
  (reader, meta) => appendSpan(reader, meta.logSpans, LOG_LINES_MAX, 'log messages'),
  (reader, meta) => appendSpan(reader, meta.tokensBeforeSpans, KEYS_MAX, 'token balances'),
  (reader, meta) => appendSpan(reader, meta.tokensAfterSpans, KEYS_MAX, 'token balances'),
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
