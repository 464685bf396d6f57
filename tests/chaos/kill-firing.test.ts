import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { numberOf, type TriggerEvent } from '../../src/model/trigger.ts';
import type { Slot } from '../../src/model/units.ts';
import { TriggerService } from '../../src/service/alerts/trigger-service.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { FiringLog } from '../../src/store/control/firings.ts';
import { StoredTriggers } from '../../src/store/control/triggers.ts';
import { inTransaction } from '../../src/store/sqlite/sqlite-transaction.ts';
import { ACCOUNT } from '../support/build-trigger.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { fakePool } from '../support/fake-api-deps.ts';

test('a firing that was logged before a kill keeps its number and is not published twice', async () => {
  const path = join(temporaryFolder(), 'control.sqlite');
  const script = resolve('tests/support/fire-until-killed.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, path]);
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  const database = openControlPlane(path);
  // Slots that were not final are lost with the process.
  const engine = { lastSlot: 6 as Slot, pool: () => fakePool({ buyCount: 3 }), token: () => null };
  const published: TriggerEvent[] = [];
  const store = {
    triggers: new StoredTriggers(database),
    firings: new FiringLog(database),
    together: <Result>(work: () => Result) => inTransaction(database, work),
  };
  const service = new TriggerService({ engine, finalSlot: 6 }, store, (events) =>
    published.push(...events),
  );
  const asked = { accountId: ACCOUNT, since: 0, limit: 10 };
  const before = service.events(asked);
  expect(before.events.map((event) => [event.kind, numberOf(event)])).toEqual([['fired', 1]]);
  engine.lastSlot = 7 as Slot;
  service.onApplied({ slot: 7 as Slot, pools: [fakePool({ buyCount: 11, slot: 7 as Slot })] });
  expect([published, service.events(asked)]).toEqual([[], before]);
  database.close();
});

test('a trigger that became true between runs fires at one start only, also when that start is killed', async () => {
  const path = join(temporaryFolder(), 'control.sqlite');
  const script = resolve('tests/support/fire-until-killed.ts');
  const child = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    ...[script, path, 'unseen'],
  ]);
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  const database = openControlPlane(path);
  const pool = () => fakePool({ buyCount: 11, slot: 7 as Slot });
  const published: TriggerEvent[] = [];
  const store = {
    triggers: new StoredTriggers(database),
    firings: new FiringLog(database),
    together: <Result>(work: () => Result) => inTransaction(database, work),
  };
  const state = { engine: { lastSlot: 8 as Slot, pool, token: () => null }, finalSlot: 8 };
  const service = new TriggerService(state, store, (events) => published.push(...events));
  const { events } = service.events({ accountId: ACCOUNT, since: 0, limit: 10 });
  expect(events).toMatchObject([{ kind: 'fired', firing: { number: 1, slot: 7 } }]);
  expect(published).toEqual([]);
  database.close();
});
