import { beforeAll, describe, expect, test } from 'vitest';
import { alter, CalmFolder, reopen } from '../support/lost-folder.ts';
import { storedRows } from '../support/stored-rows.ts';

const FIRST = 1_000;
const SLOTS = 240;

describe('slots removed from the log of a stopped folder (H-04)', () => {
  const calm = new CalmFolder(SLOTS, 3);

  beforeAll(() => calm.fill());

  test.each([
    ['in the middle', 'slot >= 1050 AND slot < 1060', 1_050, 1_059],
    ['at the beginning', 'slot < 1010', FIRST, 1_009],
    ['at the end', 'slot >= 1200', 1_200, FIRST + SLOTS - 1],
    ['nearly everywhere', 'slot >= 1003', 1_003, FIRST + SLOTS - 1],
    ['altogether', 'slot >= 0', FIRST, FIRST + SLOTS - 1],
  ])(
    '%s are reported as missing before any answer, and can be restored completely',
    async (_, condition, from, to) => {
      const dataDir = calm.copy();
      await alter(dataDir, [
        `ALTER TABLE slot_log DELETE WHERE ${condition} SETTINGS mutations_sync = 2`,
      ]);

      const found = await reopen(dataDir);
      expect(found.missing).toEqual([{ from, to }]);
      // Their effects remain in the state when a checkpoint contains them.
      if (to < FIRST + SLOTS - 1) expect(found.digest).toBe(calm.digest);
      expect(found.lost.join('\n')).toContain(`slots ${from} to ${to} of the log are lost`);
      // The loss is reported once; the slots stay listed as missing.
      const reopened = await reopen(dataDir);
      expect(reopened.lost).toEqual([]);
      expect(reopened.missing).toEqual([{ from, to }]);

      const refilled = await reopen(dataDir, calm.facts);
      expect(refilled.missing).toEqual([]);
      expect(refilled.digest).toBe(calm.digest);
      expect(await storedRows(dataDir)).toEqual(calm.rows);
    },
    400_000,
  );
});
