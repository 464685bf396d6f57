import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAINNET_MARKET } from './market-options.ts';
import { claimRunFolder, openRunFolder } from './run-folder.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-run-folder-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a temporary folder is removed at the end, one that was named is kept', () => {
  const temporary = openRunFolder(null);
  expect(existsSync(temporary.path)).toBe(true);
  temporary.remove();
  expect(existsSync(temporary.path)).toBe(false);
  const named = openRunFolder(join(folder, 'new'));
  named.remove();
  expect(existsSync(named.path)).toBe(true);
});

test('a file in place of a folder is refused', () => {
  const path = join(folder, 'file');
  writeFileSync(path, '');
  expect(() => openRunFolder(path)).toThrow(`${path} is no folder`);
});

test('a folder continues the market that it was made for, and no other', () => {
  claimRunFolder(folder, MAINNET_MARKET);
  mkdirSync(join(folder, 'state'));
  expect(() => claimRunFolder(folder, MAINNET_MARKET)).not.toThrow();
  expect(() => claimRunFolder(folder, { ...MAINNET_MARKET, seed: 21, swapsPerSlot: 2 })).toThrow(
    `${folder} was made with other options (seed 20 in place of 21, swapsPerSlot 500 in place of 2): pass those, or another --folder`,
  );
});

test('a folder with a state of an unknown market is refused', () => {
  mkdirSync(join(folder, 'state'));
  expect(() => claimRunFolder(folder, MAINNET_MARKET)).toThrow(
    `${folder} is not empty, and has no market-options.json that says which market is in it: pass another --folder`,
  );
  const path = join(folder, 'market-options.json');
  for (const text of ['{"seed":', '7', 'null']) {
    writeFileSync(path, text);
    expect(() => claimRunFolder(folder, MAINNET_MARKET)).toThrow(
      `${path} has no options of a market: pass another --folder`,
    );
  }
});
