import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/command-line.ts';
import { linkTables } from './link-tables.ts';

const CHANGER = fileURLToPath(new URL('../../../tests/support/change-parts.ts', import.meta.url));
const ROUNDS = 10;
const BETWEEN_ROUNDS_MS = 150;
const IDS = { slot_log: '329', swaps: '2df', log_starts: 'e3f' };

/** An engine's folder with three empty tables. */
function engineFolder(): { readonly path: string; tableOf(name: keyof typeof IDS): string } {
  const path = join(temporaryFolder(), 'clickhouse');
  mkdirSync(join(path, 'metadata'), { recursive: true });
  mkdirSync(join(path, 'data', 'mintscope'), { recursive: true });
  const below = (name: keyof typeof IDS) =>
    `store/${IDS[name]}/${IDS[name]}00000-0000-4000-8000-000000000000`;
  for (const name of Object.keys(IDS) as (keyof typeof IDS)[]) {
    mkdirSync(join(path, below(name), 'detached'), { recursive: true });
    writeFileSync(join(path, below(name), 'format_version.txt'), '1');
    symlinkSync(`../../${below(name)}`, join(path, 'data', 'mintscope', name));
  }
  return { path, tableOf: (name) => join(path, below(name)) };
}

/** Blocks that the parts of a linked table cover, and whether every part is whole. */
function blocksOf(table: string): Set<number> {
  const blocks = new Set<number>();
  for (const name of readdirSync(table).filter((each) => each.startsWith('1_'))) {
    const files = readdirSync(join(table, name)).sort();
    expect(files).toEqual(['checksums.txt', 'columns.txt', 'count.txt', 'data.bin']);
    for (const file of files) expect(readFileSync(join(table, name, file), 'utf8')).toBe(name);
    const [, first, last] = name.split('_').map(Number);
    for (let block = first ?? 0; block <= (last ?? 0); block++) blocks.add(block);
  }
  return blocks;
}

test('tables that change all the time are linked as of one moment each, the log last', async () => {
  const engine = engineFolder();
  const [log, derived] = [engine.tableOf('slot_log'), engine.tableOf('swaps')];
  const changer = spawn(process.execPath, [CHANGER, log, derived], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  const exited = once(changer, 'exit');
  try {
    await once(changer.stdout, 'data');
    for (let round = 0; round < ROUNDS; round++) {
      const to = join(temporaryFolder(), 'backup');
      linkTables(engine.path, to, { onFiles: () => undefined });
      const linked = blocksOf(log.replace(engine.path, to));
      const rows = blocksOf(derived.replace(engine.path, to));
      expect(linked.size).toBeGreaterThan(0);
      // No hole: every block up to the newest one is there.
      expect(linked.size).toBe(Math.max(...linked));
      // The derived rows are never ahead of the log.
      expect([...rows].filter((block) => !linked.has(block))).toEqual([]);
      await delay(BETWEEN_ROUNDS_MS);
    }
  } finally {
    changer.kill('SIGKILL');
    await exited;
  }
});

test('parts that are not finished or were set aside are left out', () => {
  const engine = engineFolder();
  for (const name of ['tmp_insert_1_2_2_0', 'delete_tmp_1_1_1_0', '1_3_3_0']) {
    mkdirSync(join(engine.tableOf('swaps'), name));
    writeFileSync(join(engine.tableOf('swaps'), name, 'checksums.txt'), '');
  }
  const to = join(temporaryFolder(), 'backup');
  linkTables(engine.path, to, { onFiles: () => undefined });
  const linked = engine.tableOf('swaps').replace(engine.path, to);
  expect(readdirSync(linked).sort()).toEqual(['1_3_3_0', 'format_version.txt']);
});
