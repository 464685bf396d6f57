import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { transports, useDataPlane } from '../../tests/support/data-planes.ts';
import { alter } from '../../tests/support/lost-folder.ts';
import { StoreError } from '../model/errors.ts';
import { asSlot } from '../model/units.ts';
import { assertWholeLog, LogStart } from './log-start.ts';
import { openStore } from './store.ts';

/** The control plane's copy, in memory. */
function metaOf(values = new Map<string, string>()) {
  return {
    values,
    read: (name: string) => values.get(name) ?? null,
    write: (name: string, value: string) => {
      values.set(name, value);
    },
  };
}

describe.each(transports)('the start of the log %s', (_, open) => {
  const opened = useDataPlane(open);

  test('is none at first, only moves forward, and survives the loss of either copy', async () => {
    const lane = opened.plane.writer;
    const meta = metaOf();
    const start = await LogStart.open({ lane, meta });
    expect(start.slot).toBeNull();
    await start.advance(asSlot(700));
    await start.advance(asSlot(500));
    expect(start.slot).toBe(700);
    // Without the control plane: it has the copy again afterwards.
    const lost = metaOf();
    expect((await LogStart.open({ lane, meta: lost })).slot).toBe(700);
    expect([...lost.values.values()]).toEqual(['700']);
    // Without the rows beside the log.
    await lane.command('TRUNCATE TABLE log_starts');
    expect((await LogStart.open({ lane, meta })).slot).toBe(700);
    expect((await LogStart.open({ lane, meta: metaOf() })).slot).toBe(700);
  });

  test('does not move when this process may no longer write', async () => {
    const lane = opened.plane.writer;
    const guard = async () => {
      throw new StoreError('another process writes');
    };
    const meta = metaOf(new Map([['log_start', '700']]));
    const start = await LogStart.open({ lane, meta, guard });
    await expect(start.advance(asSlot(900))).rejects.toThrow('another process writes');
    expect(start.slot).toBe(700);
    expect((await LogStart.open({ lane, meta: metaOf() })).slot).toBe(700);
  });
});

describe('a store', () => {
  test('is opened with the start that it had, also when the table with it was dropped', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'log-start-'));
    const store = await openStore({ dataDir });
    await store.logStart.advance(asSlot(42));
    await store.close();
    await alter(dataDir, ['DROP TABLE log_starts']);
    const again = await openStore({ dataDir });
    expect(again.logStart.slot).toBe(42);
    await again.close();
    rmSync(dataDir, { recursive: true });
  });
});

describe('the assertion that a log is whole', () => {
  test('holds for a log of which nothing was dropped, and otherwise names the way out', () => {
    expect(() => assertWholeLog({ slot: null }, 'Rows are lost')).not.toThrow();
    expect(() => assertWholeLog({ slot: asSlot(7) }, 'Rows are lost')).toThrow(
      /^Rows are lost: .* begins at slot 7, .* restore a backup .* "mintscope backfill"\.$/,
    );
  });
});
