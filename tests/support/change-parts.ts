/**
 * Changes the parts of two tables as the engine does, but a hundred times a second, until it is
 * killed: a part appears whole under its name, first in the log and then in the derived table. Every few parts are
 * merged, and merged parts are removed soon after.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , log = '', derived = ''] = process.argv;
const FILES = ['checksums.txt', 'columns.txt', 'count.txt', 'data.bin'];
const MERGED_AT_ONCE = 8;

function add(table: string, name: string): void {
  const unfinished = join(table, `tmp_insert_${name}`);
  mkdirSync(unfinished);
  for (const file of FILES) writeFileSync(join(unfinished, file), name);
  renameSync(unfinished, join(table, name));
}

function remove(table: string, name: string): void {
  const removed = join(table, `delete_tmp_${name}`);
  renameSync(join(table, name), removed);
  rmSync(removed, { recursive: true });
}

/** Long enough to list a folder twice between two changes, mostly. */
const PAUSE_MS = 10;
const pause = new Int32Array(new SharedArrayBuffer(4));

const old: (() => void)[] = [];
for (let block = 1; ; block++) {
  for (const table of [log, derived]) {
    add(table, `1_${block}_${block}_0`);
    if (block % MERGED_AT_ONCE !== 0) continue;
    const first = block - MERGED_AT_ONCE + 1;
    add(table, `1_${first}_${block}_1`);
    old.push(() => {
      for (let each = first; each <= block; each++) remove(table, `1_${each}_${each}_0`);
    });
  }
  // Merged parts stay for a while, as those of the engine do.
  if (old.length > 40) old.shift()?.();
  Atomics.wait(pause, 0, 0, PAUSE_MS);
  if (block === 1) process.stdout.write('begun\n');
}
