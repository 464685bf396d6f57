import type { ExportFormat, ExportKind } from '../../model/export.ts';

interface Described {
  readonly noun: string;
  readonly rows: string;
}

/** What the rows of an export are. */
export const EXPORTED_ROWS: Readonly<Record<ExportKind, Described>> = {
  trades: {
    noun: 'trades',
    rows:
      'One row for each swap, by pool and time, or by time for a token; times are block times. ' +
      'Labels are those of now.',
  },
  candles: {
    noun: 'candles',
    rows:
      'Candles of 30 seconds by address and time. The address is a token or a pool: candles of a ' +
      'token have no quote prices, and its prices are those of its primary pool. Prices are as stored: ' +
      'empty where no trade could set one.',
  },
  indicators: {
    noun: 'indicators of pools',
    rows:
      'One row for each pool and minute with a trade, by pool and time. Volumes are cumulative ' +
      'since the first trade.',
  },
  findings: {
    noun: 'fraud findings',
    rows:
      'One row for each published finding that was first found in the span, by token, as of the ' +
      'slot of the export. wallets lists address:role, separated by spaces.',
  },
  signals: {
    noun: 'signals',
    rows:
      'One row for each signal issued in the span, oldest first, with its outcome as of now. ' +
      'With author, signals of rules are among them.',
  },
};

interface FormatText {
  /** What the ID of the operation ends with. */
  readonly suffix: string;
  readonly title: string;
  readonly text: string;
}

const MANIFEST =
  'rows, first_slot, last_slot, as_of_slot, gaps (missing slots that may touch the span, newest ' +
  'first, at most 1,000), gaps_total and sha256, the digest in hexadecimal of all bytes before';

/** How a file of each format is written. */
export const EXPORT_TEXTS: Readonly<Record<ExportFormat, FormatText>> = {
  csv: {
    suffix: '',
    title: 'CSV',
    text:
      'CSV in UTF-8 with one line of names. Unknown values are empty. Free text is in quotes, and ' +
      'an apostrophe precedes one that begins with =, +, -, @, a tab or a carriage return, which ' +
      'programs for tables would run as a formula. The last line is a comment: # and a JSON object ' +
      `with ${MANIFEST} that line. A file without it was cut off.`,
  },
  parquet: {
    suffix: 'Parquet',
    title: 'Parquet',
    text:
      'A Parquet file with the columns of the CSV file, compressed with Snappy. Times, flags, and ' +
      'whole numbers of at most 64 bits have their own types; ratios, scores and seconds are ' +
      'floating-point numbers; wider integers and amounts are texts, so that no ' +
      'program rounds them. Unknown values are null, and texts are as they are on the chain. The entry mintscope of the key-value metadata is a JSON object with ' +
      `${MANIFEST} the metadata at the end of the file. A file that was cut off cannot be opened.`,
  },
};

export const EVERY_EXPORT =
  'Integers stand beside their decimal numbers: _raw is in the smallest unit of the token, _nano in ' +
  '10⁻⁹ US dollars, _e18 in 10⁻¹⁸ US dollars or quote tokens, _e9 in 10⁻⁹ percent. Only rows that ' +
  'cannot be reverted are exported, up to the slot in x-slot. An account may have two exports open ' +
  'at a time.';
