import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asSlot } from '../../model/units.ts';
import { type OpenedState, StateFolders } from './state-folders.ts';

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
});
