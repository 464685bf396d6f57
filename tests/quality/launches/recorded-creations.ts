import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeBlock } from '../../../src/decoders/decode-block.ts';
import type { SlotFacts } from '../../../src/model/slot-facts.ts';
import { readAll } from '../../support/recorded-reading.ts';

/**
 * Recorded transactions, each of which creates a token, as the manifest of the recorded data says.
 * What several files hold is read once.
 */
export async function readCreations(folder: string): Promise<readonly SlotFacts[]> {
  const [header = '', ...lines] = readFileSync(join(folder, 'chain/MANIFEST.tsv'), 'utf8')
    .trim()
    .split('\n');
  const names = header.split('\t');
  const rows = lines.map((line) => {
    const cells = line.split('\t');
    return (name: string) => cells[names.indexOf(name)] ?? '';
  });
  const creations = rows.filter(
    (cell) => cell('kind').startsWith('tx') && CREATION.test(cell('actions')),
  );
  const slots = new Map<string, SlotFacts>();
  for (const cell of creations) {
    const { blocks } = await readAll([join(folder, 'chain', cell('file'))]);
    for (const facts of blocks.map((block) => decodeBlock(block))) {
      const signature = facts.transactions[0]?.signature;
      if (signature !== undefined) slots.set(signature, facts);
    }
  }
  return [...slots.values()];
}

const CREATION = /\b(?:pump\.create|raydium_launchlab\.initialize)/;
