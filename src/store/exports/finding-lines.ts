import { formatFixed } from '../../lib/decimal.ts';
import type { JudgedClassification } from '../../model/fraud-review.ts';
import { USD_NANO_SCALE } from '../../model/units.ts';
import { writeTextCell } from './csv-cells.ts';

type Cell = (judged: JudgedClassification) => string | number | bigint;

const instant = (timeMs: number) => new Date(timeMs).toISOString();

/** The columns of exported findings, and how each is written. */
const COLUMNS: readonly (readonly [name: string, cell: Cell])[] = [
  ['classification_id', ({ classification }) => classification.id],
  ['slot', ({ classification }) => classification.slot],
  ['detection_slot', ({ classification }) => classification.detectionSlot ?? ''],
  ['created_at', ({ classification }) => instant(classification.createdMs)],
  ['updated_at', ({ classification }) => instant(classification.updatedMs)],
  ['token_address', ({ classification }) => classification.finding.mint],
  ['pair_address', ({ classification }) => classification.finding.pool ?? ''],
  ['fraud_type', ({ classification }) => classification.finding.fraudType],
  ['status', ({ status }) => status],
  ['confidence', ({ classification }) => classification.finding.confidence],
  ['value_at_risk_usd_nano', ({ classification }) => classification.finding.valueAtRiskUsd ?? ''],
  ['value_at_risk_usd', valueAtRisk],
  ['pattern_start_slot', ({ classification }) => classification.finding.patternStartSlot],
  ['cluster_root', ({ classification }) => classification.finding.clusterRoot],
  ['wallets', ({ classification }) => wordsOf(classification.finding.wallets, walletAndRole)],
  [
    'evidence',
    ({ classification }) => wordsOf(classification.finding.evidence, ({ type }) => type),
  ],
];

function valueAtRisk({ classification }: JudgedClassification): string {
  const { valueAtRiskUsd } = classification.finding;
  return valueAtRiskUsd === null ? '' : formatFixed(valueAtRiskUsd, USD_NANO_SCALE);
}

function walletAndRole({ address, role }: { address: string; role: string }): string {
  return `${address}:${role}`;
}

function wordsOf<Item>(items: readonly Item[], toWord: (item: Item) => string): string {
  return writeTextCell(items.map(toWord).join(' '));
}

export const FINDING_COLUMN_NAMES: readonly string[] = COLUMNS.map(([name]) => name);

/** One line of CSV, with its line feed. */
export function findingLine(judged: JudgedClassification): string {
  return `${COLUMNS.map(([, cell]) => cell(judged)).join(',')}\n`;
}
