import type { Static } from 'typebox';
import type { SignalsBody } from '../../api/present/signals-body.ts';
import { wrapText } from '../../lib/terminal/wrap-text.ts';
import type { Page } from './client-command.ts';
import { shown, shownTime, shownUsd } from './shown.ts';
import { type Column, tableLines } from './table.ts';

const COLUMNS: readonly Column[] = [
  { title: 'issued' },
  { title: 'model' },
  { title: 'market cap', isNumber: true },
  { title: 'to highest', isNumber: true },
  { title: 'token' },
  { title: 'symbol' },
];

const MEANING =
  '"to highest" is the change from the signal to the highest price since, which nobody knew in advance.';

/** Signals for people. */
export function signalsLines(body: Static<typeof SignalsBody>, { columns, style }: Page): string[] {
  const { count, signals, from_date: from, to_date: to } = body;
  const range = `from ${shownTime(from)} to ${shownTime(to)}`;
  if (signals.length === 0) return wrapText(`There are no signals ${range}.`, columns);
  const rows = signals.map((signal) => [
    shownTime(signal.created_at),
    shown(signal.model_name),
    shownUsd(signal.signal_market_cap),
    `${shown(signal.roi_percentage)} %`,
    shown(signal.token_address),
    shown(signal.symbol),
  ]);
  return [
    ...wrapText(`The newest ${count} ${range}. ${MEANING}`, columns),
    '',
    ...tableLines(COLUMNS, rows, columns, style),
  ];
}
