/** Prints rows as a table aligned for a terminal and readable as Markdown. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const [header, ...body] = rows;
  if (header === undefined) return;
  const widths = header.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  console.log(`\n${title}\n`);
  console.log(line(header));
  console.log(line(widths.map((width) => '-'.repeat(width))));
  for (const row of body) console.log(line(row));
}

export function integer(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function fixed(value: number, digits: number): string {
  return value.toFixed(digits);
}
