import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deviceError, interceptFiles } from '../../../tests/support/file-operations.ts';
import { asSlot } from '../../model/units.ts';
import { createFileAccess } from './file-access.ts';
import { openRecords } from './open-records.ts';
import { type OpenedState, StateFolders } from './state-folders.ts';

/** Where a manifest has the digit of its layout, and its first hash. */
const LAYOUT_DIGIT = 7;
const FIRST_HASH = 16;
const RULES = { rules: 'rules' };
let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'states-'));
});

afterEach(() => {
  rmSync(path, { recursive: true });
});

async function commit({ records }: OpenedState, slot: number, text: string): Promise<void> {
  records.begin();
  records.putAsOf(0, 0, Buffer.from(text));
  const head = new Uint8Array();
  await records.commit({ slot: asSlot(slot), blockhash: null, timeMs: slot * 400, ...RULES, head });
}

function contentOf({ records }: OpenedState): string | null {
  const bytes = records.read(0, 0);
  return bytes === null ? null : Buffer.from(bytes).toString();
}

describe('the states of folds', () => {
  test('are opened at their newest checkpoint, and created empty', async () => {
    const folders = new StateFolders(path);
    const state = folders.create(3, RULES);
    expect([state.checkpoint, contentOf(state)]).toEqual([null, null]);
    await commit(state, 10, 'ten');
    await commit(state, 20, 'twenty');
    state.records.close();
    const again = folders.open(3, RULES);
    expect([again.checkpoint?.slot, contentOf(again)]).toEqual([20, 'twenty']);
    again.records.close();
    const earlier = folders.open(3, { ...RULES, maxSlot: asSlot(19) });
    expect([earlier.checkpoint?.slot, contentOf(earlier)]).toEqual([10, 'ten']);
    earlier.records.close();
    const other = folders.open(3, { rules: 'others' });
    expect([other.checkpoint, other.passedOver.length]).toEqual([null, 2]);
    other.records.close();
    const anew = folders.create(3, RULES);
    expect(anew.checkpoint).toBeNull();
    anew.records.close();
  });

  test('of other rules are opened where they count as equal, and retained beside later ones', async () => {
    const folders = new StateFolders(path);
    const state = folders.create(3, RULES);
    await commit(state, 10, 'ten');
    state.records.close();
    const isEqual = (rules: string) => rules.length === 5;
    const other = folders.open(3, { rules: 'RULES', isEqual });
    expect([other.checkpoint?.rules, contentOf(other)]).toEqual(['rules', 'ten']);
    await commit(other, 20, 'twenty');
    expect(other.records.retained.map(({ slot }) => slot)).toEqual([20, 10]);
    other.records.close();
    const none = folders.open(3, { rules: 'RULES', isEqual: (rules) => rules === 'none' });
    expect(none.checkpoint).toBeNull();
    none.records.close();
  });

  test('of another layout are removed, unless the log cannot yield them any more', async () => {
    const folders = new StateFolders(path);
    const state = folders.create(3, RULES);
    await commit(state, 10, 'ten');
    state.records.close();
    const folder = join(path, 'fold-3');
    for (const name of readdirSync(folder)) {
      if (!name.startsWith('checkpoint-')) continue;
      const file = join(folder, name);
      const bytes = readFileSync(file);
      bytes.write('9', LAYOUT_DIGIT, 'latin1');
      // The hash of another version is over its layout.
      bytes[FIRST_HASH] = (bytes[FIRST_HASH] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    }
    const before = readdirSync(folder);
    expect(() => folders.open(3, { ...RULES, areNeeded: true })).toThrow(
      /which this version does not read: old slots were dropped .* restore a backup/,
    );
    expect(readdirSync(folder)).toEqual(before);
    const opened = folders.open(3, RULES);
    expect(opened.checkpoint).toBeNull();
    opened.records.close();
    expect(existsSync(folder)).toBe(false);
  });

  test.each([
    ['can be folded again', {}],
    ['is not whole', { areNeeded: true }],
  ])('are kept when a bit of an old layout name is flipped and the log %s', async (_, needed) => {
    const folders = new StateFolders(path);
    const state = folders.create(3, RULES);
    for (const slot of [10, 20, 30]) await commit(state, slot, String(slot));
    state.records.close();
    const folder = join(path, 'fold-3');
    const [oldest = ''] = readdirSync(folder).filter((name) => name.startsWith('checkpoint-10-'));
    const bytes = readFileSync(join(folder, oldest));
    bytes[LAYOUT_DIGIT] = (bytes[LAYOUT_DIGIT] ?? 0) ^ 1;
    writeFileSync(join(folder, oldest), bytes);
    const opened = folders.open(3, { ...RULES, ...needed });
    expect([opened.checkpoint?.slot, contentOf(opened)]).toEqual([30, '30']);
    opened.records.close();
  });

  test('branch from an earlier slot while they go on, and neither changes the other', async () => {
    const folders = new StateFolders(path);
    const live = folders.create(1, RULES);
    await commit(live, 10, 'ten');
    await commit(live, 20, 'twenty');
    const rules = { ...RULES, maxSlot: asSlot(15) };
    const branch = folders.branch(1, rules, { target: 2, isForRows: false });
    const rows = folders.branch(1, rules, { target: 2, isForRows: true });
    expect([contentOf(branch), contentOf(rows), contentOf(live)]).toEqual(['ten', 'ten', 'twenty']);
    await commit(live, 30, 'thirty');
    await commit(branch, 31, 'other');
    expect([contentOf(branch), contentOf(rows), contentOf(live)]).toEqual([
      'other',
      'ten',
      'thirty',
    ]);
    for (const { records } of [live, branch, rows]) records.close();
    folders.retain(2);
    expect(readdirSync(path)).toEqual(['fold-2']);
    const opened = folders.open(2, RULES);
    expect([opened.checkpoint?.slot, contentOf(opened)]).toEqual([31, 'other']);
    opened.records.close();
  });

  test('are linked for a past state only if the device reads one, and leave nothing behind otherwise', async () => {
    const folders = new StateFolders(path);
    const live = folders.create(1, RULES);
    await commit(live, 10, 'ten');
    const stop = interceptFiles(path, ({ kind, path: read }) => {
      if (kind === 'read' && read.includes('checkpoint-')) throw deviceError('EIO');
    });
    try {
      expect(() => folders.linkPast(1, RULES, 1)).toThrow('Checkpoints cannot be read: EIO');
    } finally {
      stop();
    }
    expect(readdirSync(path)).toEqual(['fold-1']);
    expect(folders.linkPast(1, RULES, 2)?.checkpoint?.slot).toBe(10);
    live.records.close();
  });

  test('have a durable name and durable links before a fold can go on under their number', async () => {
    const synced = new Set<string>();
    const stop = interceptFiles(path, ({ kind, path: synchronised }) => {
      if (kind === 'sync') synced.add(relative(path, synchronised));
    });
    try {
      const folders = new StateFolders(path);
      const live = folders.create(1, RULES);
      await commit(live, 10, 'ten');
      expect(synced).toContain('');
      synced.clear();
      const branch = folders.branch(1, RULES, { target: 2, isForRows: false });
      expect([...synced]).toEqual(['fold-2', '']);
      for (const { records } of [live, branch]) records.close();
    } finally {
      stop();
    }
  });

  test('have no later checkpoint of the fold that they branched from', async () => {
    const folders = new StateFolders(path);
    const live = folders.create(1, RULES);
    await commit(live, 10, 'ten');
    await commit(live, 20, 'twenty');
    live.records.close();
    const use = { target: 2, isForRows: false };
    folders.branch(1, { ...RULES, maxSlot: asSlot(15) }, use).records.close();
    const opened = folders.open(2, RULES);
    expect(opened.checkpoint?.slot).toBe(10);
    opened.records.close();
  });

  test('are linked for another thread, which changes none of them and is not changed by them', async () => {
    const folders = new StateFolders(path);
    const live = folders.create(1, RULES);
    expect(folders.linkPast(1, RULES, 0)).toBeNull();
    await commit(live, 10, 'ten');
    await commit(live, 20, 'twenty');
    const linked = folders.linkPast(1, { ...RULES, maxSlot: asSlot(15) }, 1);
    if (linked === null) throw new Error('nothing was linked');
    expect([linked.folder, linked.checkpoint?.slot]).toEqual([join(path, 'past-1'), 10]);
    const opened = openRecords(createFileAccess(linked.folder), RULES);
    if (opened.kind === 'refused') throw new Error(opened.reason);
    const past = {
      records: opened.store,
      checkpoint: opened.checkpoint,
      passedOver: [],
      unread: null,
    };
    await commit(live, 30, 'thirty');
    expect(contentOf(past)).toBe('ten');
    past.records.put(0, 0, Buffer.from('other'));
    past.records.settle();
    expect([contentOf(past), contentOf(live)]).toEqual(['other', 'thirty']);
    for (const { records } of [live, past]) records.close();
    folders.removePast(linked.folder);
    expect(readdirSync(path)).toEqual(['fold-1']);
    const again = folders.open(1, RULES);
    expect([again.checkpoint?.slot, contentOf(again)]).toEqual([30, 'thirty']);
    again.records.close();
  });

  test('that were linked for another thread are removed with those of other folds', async () => {
    const folders = new StateFolders(path);
    const live = folders.create(1, RULES);
    await commit(live, 10, 'ten');
    live.records.close();
    folders.linkPast(1, RULES, 1);
    folders.retain(1);
    expect(readdirSync(path)).toEqual(['fold-1']);
  });
});
