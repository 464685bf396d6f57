import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asSlot } from '../../model/units.ts';
import { checkStates, removeCheckpoints } from './check-states.ts';
import { StateFolders } from './state-folders.ts';

const RULES = { rules: 'rules' };
const RECORDS = 2_000;
let stateFolder: string;

beforeEach(() => {
  stateFolder = mkdtempSync(join(tmpdir(), 'states-'));
});

afterEach(() => {
  rmSync(stateFolder, { recursive: true });
});

/** Two checkpoints, of slots 10 and 20; record 7 alone differs between them. */
async function twoCheckpoints() {
  const location = { stateFolder, fold: 1 };
  const { records } = new StateFolders(stateFolder).create(1, RULES);
  for (const slot of [10, 20]) {
    records.begin();
    for (let id = 0; id < RECORDS; id++) {
      if (slot === 10 || id === 7) records.putAsOf(0, id, Buffer.from(`record ${id} of ${slot}`));
    }
    const head = new Uint8Array();
    const timeMs = slot * 400;
    await records.commit({ slot: asSlot(slot), blockhash: null, timeMs, ...RULES, head });
  }
  records.close();
  return location;
}

/** Changes one byte of a text in a file. */
function alter(name: string, text: string): void {
  const path = join(stateFolder, 'fold-1', name);
  const bytes = readFileSync(path);
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

test('sound checkpoints are read whole, records that they share once', async () => {
  const steps: string[] = [];
  const checked = await checkStates(await twoCheckpoints(), {
    onProgress: (name, { recordsChecked }) => steps.push(`${name} ${recordsChecked}`),
  });
  // The index has leaves of 512 records; only that of record 7 differs.
  expect(checked).toEqual({
    checkpoints: 2,
    records: RECORDS + 512,
    damaged: [],
    isComplete: true,
  });
  expect(steps.at(0)).toBe('checkpoint-20-2.bin 512');
  expect(steps.at(-1)).toBe('checkpoint-10-1.bin 512');
});

test('a damaged record is reported for each checkpoint that needs it, and for no other', async () => {
  const location = await twoCheckpoints();
  alter('segment-00000001.bin', 'record 7 of 20');
  const { damaged } = await checkStates(location);
  expect(damaged.map(({ name }) => name)).toEqual(['checkpoint-20-2.bin']);
  expect(damaged[0]?.sentence).toMatch(/is damaged: byte \d+ of .*segment-00000001.bin/);
  alter('segment-00000001.bin', 'record 1500 of 10');
  const both = await checkStates(location);
  expect(both.damaged.map(({ name }) => name)).toEqual([
    'checkpoint-20-2.bin',
    'checkpoint-10-1.bin',
  ]);
});

test('a manifest that was altered is reported', async () => {
  const location = await twoCheckpoints();
  alter('checkpoint-20-2.bin', 'recordCount');
  const { checkpoints, damaged } = await checkStates(location);
  expect(checkpoints).toBe(2);
  expect(damaged).toEqual([
    {
      name: 'checkpoint-20-2.bin',
      sentence: 'The checkpoint checkpoint-20-2.bin differs from what was written.',
    },
  ]);
});

test('a removed checkpoint leaves the one before it, with its records', async () => {
  const location = await twoCheckpoints();
  alter('segment-00000001.bin', 'record 7 of 20');
  const { damaged } = await checkStates(location);
  await removeCheckpoints(location, damaged);
  expect(await checkStates(location)).toMatchObject({ checkpoints: 1, damaged: [] });
  const opened = new StateFolders(stateFolder).open(1, RULES);
  expect(opened.checkpoint?.slot).toBe(10);
  expect(Buffer.from(opened.records.read(0, 7) ?? []).toString()).toBe('record 7 of 10');
  opened.records.close();
});

test('a check ends when its time is over', async () => {
  const location = await twoCheckpoints();
  const checked = await checkStates(location, { isTimeOver: () => true });
  expect(checked).toMatchObject({ records: 512, isComplete: false, damaged: [] });
});

test('a folder without checkpoints is whole', async () => {
  expect(await checkStates({ stateFolder, fold: 3 })).toEqual({
    checkpoints: 0,
    records: 0,
    damaged: [],
    isComplete: true,
  });
});
