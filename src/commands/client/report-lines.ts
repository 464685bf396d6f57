import type { Static } from 'typebox';
import type { FindingReportBody } from '../../api/present/finding-report-body.ts';
import { wrapHanging, wrapText } from '../../lib/terminal/wrap-text.ts';
import type { Page } from './client-command.ts';
import { shown } from './shown.ts';

type Report = Static<typeof FindingReportBody>;

const ITEM = '- ';
const INDENT = '  ';

/** A finding by the sections of a report, for people. */
export function reportLines(report: Report, page: Page): string[] {
  const { columns, style } = page;
  const heading = (title: string) => ['', style('bold', title)];
  const items = (texts: readonly string[]) =>
    texts.flatMap((text) => wrapHanging(`${ITEM}${shown(text)}`, columns, ITEM.length));
  return [
    ...wrapText(shown(report.template), columns),
    ...report.sections.flatMap(({ section, title, fields }) => [
      ...heading(`${section}. ${shown(title)}`),
      ...fields.flatMap((field) => fieldLines(field, page)),
    ]),
    ...heading(`Transactions (${report.transactions.length})`),
    ...report.transactions.map(
      ({ signature, slot, roles }) =>
        `${shown(signature)}  slot ${shown(slot)}  ${roles.join(', ')}`,
    ),
    ...heading(`Computing it again, as of slot ${report.recomputation.slot}`),
    ...report.recomputation.commands.map((command) => `${INDENT}${shown(command)}`),
    ...heading('What this does not show'),
    ...items(report.limits),
  ];
}

type Field = Report['sections'][number]['fields'][number];

function fieldLines({ name, origin, value, note }: Field, { columns }: Page): string[] {
  if (origin === 'operator') {
    return wrapHanging(`${shown(name)}: [to be filled] ${shown(note)}`, columns, INDENT.length);
  }
  const [first = null, ...rest] = value === null ? [null] : value.split('\n');
  const inline = rest.length === 0;
  return [
    ...wrapHanging(`${shown(name)}:${inline ? ` ${shown(first)}` : ''}`, columns, INDENT.length),
    ...(inline ? [] : [first ?? '', ...rest]).map((line) => `${INDENT}${shown(line)}`),
  ];
}
