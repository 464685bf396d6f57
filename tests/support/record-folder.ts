import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { ChainBlock } from '../../src/model/transaction.ts';
import { signature } from './build-transaction.ts';

/** A folder for each test of a file. */
export class RecordFolder {
  path = '';

  constructor() {
    beforeEach(() => {
      this.path = mkdtempSync(join(tmpdir(), 'recorded-'));
    });
    afterEach(() => rmSync(this.path, { recursive: true, force: true }));
  }

  join(name: string): string {
    return join(this.path, name);
  }

  /** Writes a file, as JSON unless it is text or bytes, and returns its path. */
  write(name: string, content: unknown): string {
    const path = this.join(name);
    mkdirSync(dirname(path), { recursive: true });
    const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(path, isRaw ? content : JSON.stringify(content));
    return path;
  }
}

/** One record per line. */
export function lines(...records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** `slot:` and the names of its transactions, with `+` after the slot of a whole block. */
export function outline(blocks: readonly ChainBlock[]): string[] {
  return blocks.map(
    ({ slot, isWhole, transactions }) =>
      `${slot}${isWhole ? '+' : ''}: ${transactions.map((one) => wordOf(one.signature)).join(' ')}`,
  );
}

const WORDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const WORD_OF = new Map<string, string>(WORDS.map((word) => [signature(word), word]));

/** The name that a transaction was created with. */
export function wordOf(text: string): string {
  return WORD_OF.get(text) ?? text;
}
