import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  RunningCommand,
  runCommand,
  temporaryFolder,
  writeLines,
} from '../support/command-line.ts';
import { marketBlocks } from '../support/market-blocks.ts';
import { storedRows } from '../support/stored-rows.ts';

interface Summary {
  readonly slots: number;
  readonly transactions: number;
  readonly events: { readonly swap: number };
  readonly outcomes: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly added: { readonly slots: number; readonly known_slots: number };
  readonly digest: string;
}

async function replay(dataDir: string, ...args: string[]): Promise<Summary> {
  const { exitCode, stdout, stderr } = await runCommand([
    'replay',
    ...args,
    '--json',
    '--data-dir',
    dataDir,
  ]);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Summary;
}

const BLOCKS = 400;
const inputs = temporaryFolder();
const blocks = marketBlocks(BLOCKS);
const early = writeLines(inputs, 'b-early.jsonl', blocks.slice(0, BLOCKS / 2));
const late = writeLines(inputs, 'a-late.jsonl', blocks.slice(BLOCKS / 2));

describe('replay', () => {
  test('counts every swap once, with the same result when repeated in the same folder and in a new one', async () => {
    const folder = temporaryFolder();
    const first = await replay(folder, early, late);
    expect(first).toMatchObject({
      slots: BLOCKS,
      transactions: 3 * BLOCKS,
      events: { swap: 3 * BLOCKS },
      outcomes: { raydium_cpmm: { event: 3 * BLOCKS, unknown: 0, malformed: 0, quarantined: 0 } },
      added: { slots: BLOCKS, known_slots: 0 },
    });
    const again = await replay(folder, early, late);
    expect(again).toMatchObject({ added: { slots: 0, known_slots: BLOCKS } });
    expect(again.digest).toBe(first.digest);
    expect((await replay(temporaryFolder(), early, late)).digest).toBe(first.digest);
  });

  test('does not depend on the order of files, nor on late slots in a later run', async () => {
    const calm = await replay(temporaryFolder(), early, late);
    expect((await replay(temporaryFolder(), late, early)).digest).toBe(calm.digest);
    const folder = temporaryFolder();
    const ahead = await replay(folder, late);
    expect(ahead.digest).not.toBe(calm.digest);
    expect((await replay(folder, early)).digest).toBe(calm.digest);
  });

  test('with another fallback SOL price gives the rows of a first run with that price', async () => {
    const priceless = writeLines(inputs, 'priceless.jsonl', marketBlocks(60, 1_000, false));
    const folder = temporaryFolder();
    const unpriced = await replay(folder, priceless);
    const repriced = await replay(folder, priceless, '--sol-usd-fallback', '150');
    const freshFolder = temporaryFolder();
    const fresh = await replay(freshFolder, priceless, '--sol-usd-fallback', '150');
    expect(repriced.digest).not.toBe(unpriced.digest);
    expect(repriced.digest).toBe(fresh.digest);
    expect(await storedRows(folder)).toEqual(await storedRows(freshFolder));
  });

  test('killed at any time and repeated gives the digest and the rows of a run without kills', async () => {
    const many = writeLines(inputs, 'many.jsonl', marketBlocks(3_000));
    const calmFolder = temporaryFolder();
    const calm = await replay(calmFolder, many);
    const folder = temporaryFolder();
    const signals: unknown[] = [];
    for (const delayMs of [700, 1_100, 1_600]) {
      const run = new RunningCommand(['replay', many, '--json', '--data-dir', folder]);
      setTimeout(() => run.process.kill('SIGKILL'), delayMs);
      signals.push((await run.finished).signal);
    }
    expect(signals).toContain('SIGKILL');
    const repeated = await replay(folder, many);
    expect(repeated.digest).toBe(calm.digest);
    const rows = await storedRows(folder);
    expect(rows).toEqual(await storedRows(calmFolder));
    expect(rows).toMatchObject({
      slot_log: { rows: '3000', keys: '3000' },
      swaps: { rows: '9000', keys: '9000' },
      swaps_by_wallet: { rows: '9000' },
    });
  });

  test('indexes everything around an unusable record, and reports it', async () => {
    const text = readFileSync(early, 'utf8').split('\n');
    const broken = [...text];
    broken[3] = (broken[3] ?? '').slice(0, 200);
    const path = join(inputs, 'broken.jsonl');
    writeFileSync(path, broken.join('\n'));
    const run = await runCommand(['replay', path, '--json', '--data-dir', temporaryFolder()]);
    const summary = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as Summary;
    expect(summary.slots).toBe(BLOCKS / 2 - 1);
    expect(run.stderr).toMatch(/broken\.jsonl.*line 4/);
  });

  test('refuses a path that matches nothing in one sentence', async () => {
    const run = await runCommand(['replay', '/nowhere/at/all', '--data-dir', temporaryFolder()]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/^mintscope: .*\/nowhere\/at\/all.*\n$/);
  });
});
