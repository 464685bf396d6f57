/** Fires a trigger of a webhook and is killed before anything is sent. Argument: control database. */

import type { Slot } from '../../src/model/units.ts';
import { TriggerService } from '../../src/service/alerts/trigger-service.ts';
import { wallClock } from '../../src/service/alerts/webhook-dispatch.ts';
import { WebhookService } from '../../src/service/alerts/webhook-service.ts';
import { ACCOUNT, BUSY, ofPool } from './build-trigger.ts';
import { fakePool, POOL } from './fake-api-deps.ts';
import { webhookStore } from './webhook-store.ts';

const store = webhookStore(process.argv[2] ?? '', Date.now);
const engine = { lastSlot: 6 as Slot, pool: () => fakePool({ buyCount: 3 }), token: () => null };
const webhooks = new WebhookService({ engine, finalSlot: 6, unwritten: [] }, store, {
  sender: {
    isTaking: true,
    isOpen: true,
    send: () => Promise.reject(new Error('it was sent before the kill')),
  },
  privateOrigins: [],
  presentSignal: String,
  clock: wallClock,
  random: Math.random,
});
webhooks.add({
  accountId: ACCOUNT,
  url: 'https://example.com/hook',
  label: null,
  eventTypes: ['trigger.fired'],
});
const forward = webhooks.events.putTriggerEvents.bind(webhooks.events);
const service = new TriggerService({ engine, finalSlot: 6 }, { ...store, forward }, () => {
  process.kill(process.pid, 'SIGKILL');
});
service.add({ accountId: ACCOUNT, triggerId: 'busy', target: ofPool(POOL), conditions: [BUSY] });
engine.lastSlot = 7 as Slot;
service.onApplied({ slot: 7 as Slot, pools: [fakePool({ buyCount: 11, slot: 7 as Slot })] });
