import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { alterControl, CalmFolder, reopen } from '../support/lost-folder.ts';
import { storedRows } from '../support/stored-rows.ts';

const LAST = 1_239;

describe('a ledger or cursor that is altered while the service is stopped (H-04)', () => {
  const calm = new CalmFolder(240, 2);

  beforeAll(() => calm.fill());

  test.each([
    ['a ledger without its ranges', 'DELETE FROM slot_ranges', /ledger of slots is not as it was/],
    [
      'a ledger that marks stored slots as skipped',
      "UPDATE slot_ranges SET state = 'skipped'",
      /ledger of slots is not as it was/,
    ],
    [
      'a ledger that ends early',
      'UPDATE slot_ranges SET to_slot = 1100',
      /does not speak of slots 1101 to 1239/,
    ],
    ['no cursor', 'DELETE FROM cursor', /cursor is not as it was/],
    ['a cursor that is behind', 'UPDATE cursor SET slot = 1010', /cursor is not as it was/],
    ['a cursor that is ahead', 'UPDATE cursor SET slot = 9999', /cursor is not as it was/],
    ['a cursor of another fold', 'UPDATE cursor SET epoch = 7', /cursor is not as it was/],
    ['no record of parts', 'DELETE FROM stored_parts', /record of stored parts is not as it was/],
  ])(
    '%s: is reported, and rebuilt from the log',
    async (_, statement, sentence) => {
      const dataDir = calm.copy();
      alterControl(dataDir, statement);
      const found = await reopen(dataDir);
      expect(found.lost.join('\n')).toMatch(sentence);
      expect(found.missing).toEqual([]);
      expect(found.digest).toBe(calm.digest);
      expect(await storedRows(dataDir)).toEqual(calm.rows);
      const again = await reopen(dataDir, calm.facts);
      expect(again.lost).toEqual([]);
      expect(again.refolds).toBe(0);
      expect(again.missing).toEqual([]);
    },
    60_000,
  );

  test('slots that are marked as stored and are not are reported as missing', async () => {
    const dataDir = calm.copy();
    alterControl(
      dataDir,
      "INSERT INTO slot_ranges VALUES (900, 910, 'held', NULL, NULL, 0, NULL, NULL)",
    );
    const found = await reopen(dataDir);
    expect(found.lost.join('\n')).toMatch(/slots 900 to 910 of the log are lost/);
    expect(found.missing).toEqual([{ from: 900, to: 910 }]);
  });

  test('without its control database the state is rebuilt from the log, and that is reported', async () => {
    const dataDir = calm.copy();
    for (const end of ['', '-wal', '-shm']) {
      rmSync(`${dataFolderAt(dataDir).controlFile}${end}`, { force: true });
    }
    const found = await reopen(dataDir);
    expect(found.lost.join('\n')).toMatch(/control database is new.*API keys.*are gone/);
    expect(found.digest).toBe(calm.digest);
    expect(await storedRows(dataDir)).toEqual(calm.rows);
    const again = await reopen(dataDir, calm.facts);
    expect(again.lost).toEqual([]);
    expect(again.missing).toEqual([]);
  });

  test('without its log and rows every slot is reported as missing', async () => {
    const dataDir = calm.copy();
    rmSync(dataFolderAt(dataDir).engineFolder, { recursive: true });
    const found = await reopen(dataDir);
    expect(found.missing).toEqual([{ from: 1_000, to: LAST }]);
    const refilled = await reopen(dataDir, calm.facts);
    expect(refilled.missing).toEqual([]);
    expect(refilled.digest).toBe(calm.digest);
    expect(await storedRows(dataDir)).toEqual(calm.rows);
  });
});
