import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { OutgoingRequest } from '../../src/alerts/webhooks/webhook-sender.ts';
import { presentTriggerEvent } from '../../src/api/present/present-trigger.ts';
import { uuidV5 } from '../../src/lib/uuid.ts';
import type { Slot } from '../../src/model/units.ts';
import { TriggerService } from '../../src/service/alerts/trigger-service.ts';
import { WebhookService } from '../../src/service/alerts/webhook-service.ts';
import { ACCOUNT } from '../support/build-trigger.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { fakePool } from '../support/fake-api-deps.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { webhookStore } from '../support/webhook-store.ts';

test('a firing whose webhook a kill prevented is delivered at the next start, under one id in every attempt', async () => {
  const path = join(temporaryFolder(), 'control.sqlite');
  const script = resolve('tests/support/fire-webhook-until-killed.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, path]);
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  const clock = new ManualClock(Date.now());
  const store = webhookStore(path, clock.nowMs);
  // Slots that were not final are lost with the process.
  const engine = { lastSlot: 6 as Slot, pool: () => fakePool({ buyCount: 3 }), token: () => null };
  const sent: OutgoingRequest[] = [];
  const send = async (request: OutgoingRequest) => {
    // Delivered, but the process was killed before it recorded the delivery: it is sent again.
    const isFirst = sent.push(request) === 1;
    return isFirst
      ? ({ kind: 'interrupted' } as const)
      : ({ kind: 'answered', status: 200, retryAfter: null, durationMs: 1 } as const);
  };
  const webhooks = new WebhookService({ engine, finalSlot: 6, unwritten: [] }, store, {
    sender: { isTaking: true, isOpen: true, send },
    ...{ privateOrigins: [], presentSignal: String, clock, random: () => 1 },
  });
  const forward = webhooks.events.putTriggerEvents.bind(webhooks.events);
  const triggerService = new TriggerService(
    { engine, finalSlot: 6 },
    { ...store, forward },
    () => undefined,
  );
  engine.lastSlot = 7 as Slot;
  triggerService.onApplied({
    slot: 7 as Slot,
    pools: [fakePool({ buyCount: 11, slot: 7 as Slot })],
  });
  await clock.pass(60_000);
  const { events } = triggerService.events({ accountId: ACCOUNT, since: 0, limit: 10 });
  const [event] = events;
  if (event === undefined) throw new Error('no firing is stored');
  expect(events.length).toBe(1);
  const id = uuidV5('2f0d9f0a-52a1-5c57-9d0f-7d5a1b6f4c83', `trigger.fired ${ACCOUNT} 1`);
  expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  const bodies = sent.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ data }) => data)).toEqual(Array(2).fill(presentTriggerEvent(event)));
  expect(webhooks.pending).toBe(0);
  store.database.close();
});
