/**
 * Fires a trigger, and is killed when it is about to publish the firing. Arguments: control
 * database, and `unseen` for a trigger that becomes true while it is not evaluated and fires at the
 * next start.
 */

import type { Slot } from '../../src/model/units.ts';
import { TriggerService } from '../../src/service/alerts/trigger-service.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { FiringLog } from '../../src/store/control/firings.ts';
import { StoredTriggers } from '../../src/store/control/triggers.ts';
import { inTransaction } from '../../src/store/sqlite/sqlite-transaction.ts';
import { ACCOUNT, BUSY, ofPool } from './build-trigger.ts';
import { fakePool, POOL } from './fake-api-deps.ts';

const database = openControlPlane(process.argv[2] ?? '');
const engine = { lastSlot: 6 as Slot, pool: () => fakePool({ buyCount: 3 }), token: () => null };
const store = {
  triggers: new StoredTriggers(database),
  firings: new FiringLog(database),
  together: <Result>(work: () => Result) => inTransaction(database, work),
};
const open = () =>
  new TriggerService({ engine, finalSlot: engine.lastSlot }, store, () => {
    process.kill(process.pid, 'SIGKILL');
  });
const pool = fakePool({ buyCount: 11, slot: 7 as Slot });
const service = open();
service.add({ accountId: ACCOUNT, triggerId: 'busy', target: ofPool(POOL), conditions: [BUSY] });
if (process.argv[3] === 'unseen') {
  Object.assign(engine, { lastSlot: 8, pool: () => pool });
  open();
} else {
  engine.lastSlot = 7 as Slot;
  service.onApplied({ slot: 7 as Slot, pools: [pool] });
}
