import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { CalmFolder, fileOf, partFolders, reopen, setAside } from '../support/lost-folder.ts';
import { storedRows } from '../support/stored-rows.ts';

const SLOTS = 240;

function flip(file: string, at: (size: number) => number): void {
  const bytes = readFileSync(file);
  const index = at(bytes.length);
  bytes.writeUInt8((bytes[index] ?? 0) ^ 0x10, index);
  writeFileSync(file, bytes);
}

const data = (part: string) => fileOf(part, 'data.bin');

describe('parts of the log that are damaged while the service is stopped (H-04)', () => {
  const calm = new CalmFolder(SLOTS, 3);

  beforeAll(() => calm.fill());

  test.each([
    ['a part is removed', (part: string) => rmSync(part, { recursive: true })],
    ['the file with its rows is removed', (part: string) => rmSync(data(part))],
    ['the file with its rows is cut', (part: string) => truncateSync(data(part), 1_000)],
    ['the file with its rows is emptied', (part: string) => truncateSync(data(part), 0)],
    ['a bit of a row is flipped', (part: string) => flip(data(part), (size) => size >> 1)],
    [
      'a bit of its checksums is flipped',
      (part: string) => flip(fileOf(part, 'checksums.txt'), (size) => size - 5),
    ],
    [
      'a bit of its index is flipped',
      (part: string) => flip(fileOf(part, 'primary.cidx'), (size) => size - 3),
    ],
    ['its list of columns is removed', (part: string) => rmSync(fileOf(part, 'columns.txt'))],
  ])(
    '%s: lost slots are reported as missing, if any, and can be restored completely',
    async (_, damage) => {
      const dataDir = calm.copy();
      const [part = ''] = await partFolders(dataDir, 'slot_log');
      damage(part.replace(calm.path, dataDir));

      const found = await reopen(dataDir);
      expect(found.lost).not.toEqual([]);
      const refilled = await reopen(dataDir, calm.facts);
      expect(refilled.lost).toEqual([]);
      expect(refilled.missing).toEqual([]);
      expect(refilled.digest).toBe(calm.digest);
      expect(await storedRows(dataDir)).toEqual(calm.rows);
    },
    400_000,
  );

  test('a flipped bit loses slots of its part alone, and the part is set aside', async () => {
    const dataDir = calm.copy();
    const [part = ''] = await partFolders(dataDir, 'slot_log');
    flip(data(part), (size) => size >> 1);
    const found = await reopen(dataDir);
    expect(found.lost.join('\n')).toMatch(/The part \S+ of slot_log is damaged/);
    expect(found.missingSlots).toBeGreaterThan(0);
    expect(found.missingSlots).toBeLessThanOrEqual(SLOTS / 3);
    expect(setAside(dataDir).length).toBeGreaterThan(0);
  });
});
