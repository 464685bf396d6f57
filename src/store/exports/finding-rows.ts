import { type BasicType, type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { formatFixed } from '../../lib/decimal.ts';
import type { JudgedClassification } from '../../model/fraud-review.ts';
import { USD_NANO_SCALE } from '../../model/units.ts';
import { writeTextCell } from './export-cells.ts';

type Value = string | number | bigint | Date | null;

/** The type of a column in Parquet, by the kind of its values. A text is in quotes in CSV. */
const TYPES = {
  word: 'STRING',
  text: 'STRING',
  whole: 'INT64',
  number: 'DOUBLE',
  instant: 'TIMESTAMP',
} as const satisfies Record<string, BasicType>;

type Kind = keyof typeof TYPES;
type Column = readonly [name: string, kind: Kind, read: (judged: JudgedClassification) => Value];

/** The columns of exported findings. */
const COLUMNS: readonly Column[] = [
  ['classification_id', 'word', ({ classification }) => classification.id],
  ['slot', 'whole', ({ classification }) => classification.slot],
  ['detection_slot', 'whole', ({ classification }) => classification.detectionSlot],
  ['created_at', 'instant', ({ classification }) => new Date(classification.createdMs)],
  ['updated_at', 'instant', ({ classification }) => new Date(classification.updatedMs)],
  ['token_address', 'word', ({ classification }) => classification.finding.mint],
  ['pair_address', 'word', ({ classification }) => classification.finding.pool],
  ['fraud_type', 'word', ({ classification }) => classification.finding.fraudType],
  ['status', 'word', ({ status }) => status],
  ['confidence', 'number', ({ classification }) => classification.finding.confidence],
  ['value_at_risk_usd_nano', 'word', rawValueAtRisk],
  ['value_at_risk_usd', 'word', valueAtRisk],
  ['pattern_start_slot', 'whole', ({ classification }) => classification.finding.patternStartSlot],
  ['cluster_root', 'word', ({ classification }) => classification.finding.clusterRoot],
  [
    'wallets',
    'text',
    ({ classification: { finding } }) =>
      finding.wallets.map(({ address, role }) => `${address}:${role}`).join(' '),
  ],
  [
    'evidence',
    'text',
    ({ classification: { finding } }) => finding.evidence.map(({ type }) => type).join(' '),
  ],
];

function rawValueAtRisk({ classification }: JudgedClassification): string | null {
  const { valueAtRiskUsd } = classification.finding;
  return valueAtRiskUsd === null ? null : String(valueAtRiskUsd);
}

function valueAtRisk({ classification }: JudgedClassification): string | null {
  const { valueAtRiskUsd } = classification.finding;
  return valueAtRiskUsd === null ? null : formatFixed(valueAtRiskUsd, USD_NANO_SCALE);
}

export const FINDING_COLUMN_NAMES: readonly string[] = COLUMNS.map(([name]) => name);

/** A line of CSV for each finding, with its line feed. */
export function findingLines(listed: readonly JudgedClassification[]): Uint8Array {
  const lines = listed.map((judged) => {
    const cells = COLUMNS.map(([, kind, read]) => toCell(kind, read(judged)));
    return `${cells.join(',')}\n`;
  });
  return Buffer.from(lines.join(''));
}

function toCell(kind: Kind, value: Value): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  return kind === 'text' ? writeTextCell(String(value)) : String(value);
}

/** A Parquet file of the findings. */
export function findingsFile(listed: readonly JudgedClassification[]): Uint8Array {
  const columnData = COLUMNS.map(([name, kind, read]): ColumnSource => {
    const values = listed.map(read);
    const data = kind === 'whole' ? values.map(toBigInt) : values;
    return { name, data, type: TYPES[kind], nullable: true, offsetIndex: false };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

function toBigInt(value: Value): bigint | null {
  return value === null ? null : BigInt(Number(value));
}
