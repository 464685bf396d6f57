import { CLEAR_LINE, type Terminal } from './terminal.ts';

/** Prints lines on standard output, in the place of a status line, which comes back below them. */
export function printAbove({ canRedraw }: Terminal, lines: readonly string[]): void {
  process.stdout.write(`${canRedraw ? CLEAR_LINE : ''}${lines.join('\n')}\n`);
}
