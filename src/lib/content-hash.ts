import { hash } from 'node:crypto';

/** SHA-256 of lines of text, each ended by a line feed, as 64 hex digits. */
export function contentHash(lines: readonly string[]): string {
  return hash('sha256', `${lines.join('\n')}\n`);
}
