/** Prints rows as a table aligned for a terminal and readable as Markdown. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const lines = tableLines(rows);
  if (lines.length > 0) console.log(`\n${title}\n\n${lines.join('\n')}`);
}

/** The first row is the header; without rows there are no lines. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const [header, ...body] = rows;
  if (header === undefined) return [];
  const widths = header.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [header, widths.map((width) => '-'.repeat(width)), ...body].map(line);
}

export function integer(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function fixed(value: number, digits: number): string {
  return value.toFixed(digits);
}
