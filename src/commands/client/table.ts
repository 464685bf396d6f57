import { displayWidth, padBefore, padTo } from '../../lib/terminal/display-width.ts';
import { NO_STYLE, type Style } from '../../lib/terminal/terminal.ts';
import { wrapHanging, wrapText } from '../../lib/terminal/wrap-text.ts';

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

const BETWEEN = '  ';
/** A narrower last column is not worth a table. */
const LAST_COLUMN_MIN = 10;

/**
 * Rows as a table whose last column wraps; each row as a block of its own where a table does not
 * fit. Cells are text that is safe for a terminal.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  style: Style = NO_STYLE,
): string[] {
  const widths = columns.map(({ title }, at) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[at] ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + BETWEEN.length, 0);
  const rest = width - before;
  const needed = Math.min(widths.at(-1) ?? 0, LAST_COLUMN_MIN);
  if (rest < needed) return blocks(columns, rows, width, style);
  const line = (cells: readonly string[]) => {
    const [last = '', ...more] = wrapText(cells.at(-1) ?? '', rest);
    const first = cells
      .slice(0, -1)
      .map((cell, at) => (columns[at]?.isNumber ? padBefore : padTo)(cell, widths[at] ?? 0));
    return [
      [...first, last].join(BETWEEN).trimEnd(),
      ...more.map((each) => ' '.repeat(before) + each),
    ];
  };
  const head = line(columns.map(({ title }) => title)).map((each) => style('dim', each));
  return [...head, ...rows.flatMap(line)];
}

function blocks(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  style: Style,
): string[] {
  return rows.flatMap((row, at) => [
    ...(at === 0 ? [] : ['']),
    ...fieldLines(
      columns.map(({ title }, index) => [title, row[index] ?? '']),
      width,
      style,
    ),
  ]);
}

/** Names and values below each other; values wrap. */
export function fieldLines(
  fields: readonly (readonly [name: string, value: string])[],
  width: number,
  style: Style = NO_STYLE,
): string[] {
  const indent = Math.max(0, ...fields.map(([name]) => displayWidth(name))) + BETWEEN.length;
  return fields.flatMap(([name, value]) => {
    const [first = '', ...more] = wrapHanging(value, width, indent);
    return [style('dim', padTo(name, indent)) + first, ...more];
  });
}
