import type { Static } from 'typebox';
import type { FindingListBody } from '../../api/present/finding-list-body.ts';
import type { FraudCheckBody } from '../../api/present/present-classification.ts';
import type { Wire } from '../../api/present/wire-record.ts';
import type { Style } from '../../lib/terminal/terminal.ts';
import { wrapHanging, wrapText } from '../../lib/terminal/wrap-text.ts';
import type { Page } from './client-command.ts';
import { shown, shownTime, shownUsd } from './shown.ts';
import { fieldLines } from './table.ts';

type Findings = Wire<typeof FindingListBody>;
type Check = Static<typeof FraudCheckBody>;
type Finding = Check['classifications'][number];

const REASON = '- ';

/** The check of a token, or a list of findings, for people. */
export function fraudLines(body: Check | Findings, page: Page): string[] {
  return 'is_fraudulent' in body ? checkLines(body, page) : listLines(body, page);
}

function checkLines({ risk_score: risk, classifications }: Check, page: Page): string[] {
  if (classifications.length === 0) {
    return ['No fraud pattern was found in this token with a confidence of 0.5 or more.'];
  }
  return [
    page.style('bold', `Risk ${risk} of 100, ${countOf(classifications.length)}`),
    ...classifications.flatMap((finding) => findingLines(finding, page)),
  ];
}

function listLines({ classifications, next_cursor: next }: Findings, page: Page): string[] {
  if (classifications.length === 0) return ['There are no findings.'];
  return [
    page.style('bold', `${countOf(classifications.length)}, newest first`),
    ...classifications.flatMap((finding) => findingLines(finding, page)),
    ...(next === null ? [] : ['', 'There are older ones: --limit shows more.']),
  ];
}

function countOf(count: number): string {
  return count === 1 ? '1 finding' : `${count} findings`;
}

/** What was found, with each reason in full. */
function findingLines(finding: Finding, { columns, style }: Page): string[] {
  const { confidence_level: level, confidence_score: confidence, fraud_type, status } = finding;
  const title = `${shown(level)}  ${shown(fraud_type)}  ${confidence.toFixed(4)}  (${shown(status)})`;
  const fields: readonly (readonly [string, string])[] = [
    ['token', shown(finding.token_address)],
    ['found', `${shownTime(finding.created_at)}, slot ${shown(finding.detection_slot)}`],
    ['at risk', shownUsd(finding.estimated_value_at_risk)],
    ['wallets', String(finding.involved_wallets.length)],
    ['finding', shown(finding.id)],
  ];
  return [
    '',
    ...wrapText(title, columns).map(levelStyle(level, style)),
    ...fieldLines(fields, columns, style),
    ...finding.evidence.flatMap(({ description }) =>
      wrapHanging(REASON + shown(description), columns, REASON.length),
    ),
  ];
}

function levelStyle(level: Finding['confidence_level'], style: Style) {
  const isGrave = level === 'critical' || level === 'high';
  return (text: string) => style(isGrave ? 'red' : 'yellow', text);
}
