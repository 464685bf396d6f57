import { hash } from 'node:crypto';

/** SHA-256, as 64 hex digits, of lines of text that each end with a line feed. */
export function contentHash(lines: readonly string[]): string {
  return hash('sha256', `${lines.join('\n')}\n`);
}
