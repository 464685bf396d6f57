import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WebhookRequest } from '../../model/webhook.ts';
import { openControlPlane } from './control-plane.ts';
import { WebhookOutbox } from './webhook-outbox.ts';
import { WebhookTable } from './webhooks.ts';

const REQUEST: WebhookRequest = {
  accountId: 'one',
  url: 'https://example.com/hook',
  label: null,
  eventTypes: ['trigger.fired'],
};
const HOUR_MS = 3_600_000;

let folder: string;
let database: DatabaseSync;
let nowMs: number;
let book: WebhookTable;
let outbox: WebhookOutbox;

const clock = () => nowMs;
const limits = { pendingMax: 3, keptMax: 2, keptMs: 7 * 24 * HOUR_MS };
const event = (name: string) => ({ id: name, type: 'trigger.fired', body: `{"name":"${name}"}` });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
  database = openControlPlane(join(folder, 'control.sqlite'));
  nowMs = 1_000_000;
  book = new WebhookTable(database, clock, { webhooksMax: 2 });
  outbox = new WebhookOutbox(database, clock, limits);
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function add(request: Partial<WebhookRequest> = {}): string {
  const webhook = book.add({ ...REQUEST, ...request }, 'whsec_first');
  if (webhook === null) throw new Error('the account is full');
  return webhook.id;
}

const states = (id: string) =>
  outbox.list(id, 100, 0).deliveries.map((delivery) => `${delivery.id} ${delivery.state}`);
const endOf = (id: string, eventId: string, state: 'delivered' | 'failed') => {
  const key = outbox.due(id, 100).find((due) => due.eventId === eventId)?.key ?? -1;
  outbox.attempted(key, { atMs: nowMs, status: 200, error: null, durationMs: 1 }, { state });
};

describe('webhooks of accounts', () => {
  test('do not exceed the limit of an account, and those of others are not counted', () => {
    add();
    add();
    expect(book.add(REQUEST, 'whsec_third')).toBeNull();
    add({ accountId: 'two' });
    expect([book.list('one').length, book.list('two').length, book.all().length]).toEqual([
      2, 1, 3,
    ]);
  });

  test('are unknown to every other account', () => {
    const other = { accountId: 'two', webhookId: add() };
    expect(book.find(other)).toBeNull();
    expect(book.remove(other)).toBeNull();
    expect(book.rotate(other, 'whsec_stolen', HOUR_MS)).toBeNull();
    expect(book.enable(other)).toBeNull();
    expect(book.target(other.webhookId)?.secrets).toEqual(['whsec_first']);
  });

  test('never show their secret', () => {
    const name = { accountId: 'one', webhookId: add() };
    book.rotate(name, 'whsec_second', HOUR_MS);
    const shown = JSON.stringify([book.find(name), book.list('one'), book.all()]);
    expect(shown).not.toContain('whsec_');
  });

  test('have two secrets until the old one expires, and never three', () => {
    const name = { accountId: 'one', webhookId: add() };
    const secrets = () => book.target(name.webhookId)?.secrets;
    book.rotate(name, 'whsec_second', 24 * HOUR_MS);
    expect(secrets()).toEqual(['whsec_second', 'whsec_first']);
    nowMs += 24 * HOUR_MS - 1;
    expect(secrets()).toEqual(['whsec_second', 'whsec_first']);
    nowMs += 1;
    expect(secrets()).toEqual(['whsec_second']);
    book.rotate(name, 'whsec_third', HOUR_MS);
    book.rotate(name, 'whsec_fourth', HOUR_MS);
    expect(secrets()).toEqual(['whsec_fourth', 'whsec_third']);
  });

  test('record since when deliveries fail, and reset it on success', () => {
    const id = add();
    expect(book.noteFailure(id)).toEqual({ sinceMs: 1_000_000, inRow: 1 });
    nowMs += HOUR_MS;
    expect(book.noteFailure(id)).toEqual({ sinceMs: 1_000_000, inRow: 2 });
    book.noteArrival(id);
    expect(book.noteFailure(id)).toEqual({ sinceMs: 1_000_000 + HOUR_MS, inRow: 1 });
  });

  test('that are disabled keep the reason, and their pending deliveries are cancelled', () => {
    const name = { accountId: 'one', webhookId: add() };
    outbox.put(name.webhookId, event('a'));
    book.disable(name.webhookId, 'gone');
    nowMs += 1;
    book.disable(name.webhookId, 'failing');
    expect(book.find(name)).toMatchObject({
      disabledAtMs: 1_000_000,
      disabledReason: 'gone',
      pending: 0,
    });
    expect(states(name.webhookId)).toEqual(['a cancelled']);
    expect(book.enable(name)).toMatchObject({ disabledAtMs: null, disabledReason: null });
    expect(states(name.webhookId)).toEqual(['a cancelled']);
  });

  test('are removed with their pending deliveries and their log', () => {
    const name = { accountId: 'one', webhookId: add() };
    outbox.put(name.webhookId, event('a'));
    endOf(name.webhookId, 'a', 'delivered');
    outbox.put(name.webhookId, event('b'));
    book.remove(name);
    const rows = (table: string) => database.prepare(`SELECT * FROM ${table}`).all().length;
    expect(['webhooks', 'webhook_deliveries', 'webhook_attempts'].map(rows)).toEqual([0, 0, 0]);
  });
});

describe('a delivery to a webhook', () => {
  test('is queued once, however often the event is added', () => {
    const id = add();
    for (let time = 0; time < 3; time++) outbox.put(id, event('a'));
    expect(outbox.due(id, 10)).toMatchObject([{ eventId: 'a', body: '{"name":"a"}', attempts: 0 }]);
    endOf(id, 'a', 'delivered');
    outbox.put(id, event('a'));
    expect([outbox.due(id, 10), outbox.pendingOf(id)]).toEqual([[], 0]);
  });

  test('is returned when it is due, the longest overdue first', () => {
    const id = add();
    outbox.put(id, event('a'));
    nowMs += 1;
    outbox.put(id, event('b'));
    const [first] = outbox.due(id, 10);
    const failed = { atMs: nowMs, status: 500, error: null, durationMs: 1 };
    const retry = { state: 'pending', nextAttemptMs: nowMs + 5_000 } as const;
    outbox.attempted(first?.key ?? -1, failed, retry);
    expect(outbox.due(id, 10).map(({ eventId }) => eventId)).toEqual(['b']);
    expect(outbox.nextDueMs(id)).toBe(nowMs + 5_000);
    nowMs += 5_000;
    expect(outbox.due(id, 10).map(({ eventId }) => eventId)).toEqual(['b', 'a']);
    expect(outbox.due(id, 1).map(({ eventId }) => eventId)).toEqual(['b']);
    expect(outbox.nextDueMs(id)).toBeNull();
  });

  test('is dropped, oldest first, when too many are pending, and dropped ones are counted', () => {
    const name = { accountId: 'one', webhookId: add() };
    for (const letter of ['a', 'b', 'c', 'd']) outbox.put(name.webhookId, event(letter));
    expect(book.find(name)).toMatchObject({ pending: 3, dropped: 1 });
    outbox.put(name.webhookId, event('e'));
    expect(states(name.webhookId)).toEqual([
      'e pending',
      'd pending',
      'c pending',
      'b dropped',
      'a dropped',
    ]);
    expect(book.find(name)).toMatchObject({ pending: 3, dropped: 2 });
    expect(outbox.pendingTotal).toBe(3);
  });

  test('has its attempts, newest first', () => {
    const id = add();
    outbox.put(id, event('a'));
    const key = outbox.due(id, 1)[0]?.key ?? -1;
    const hung = { atMs: 1, status: null, error: 'timed-out', durationMs: 5_000.4 };
    outbox.attempted(key, hung, { state: 'pending', nextAttemptMs: nowMs });
    const answered = { atMs: 2, status: 204, error: null, durationMs: 3 };
    outbox.attempted(key, answered, { state: 'delivered' });
    expect(outbox.find(id, 'a')).toMatchObject({
      state: 'delivered',
      nextAttemptMs: null,
      attemptCount: 2,
      attempts: [answered, { ...hung, durationMs: 5_000 }],
    });
  });

  test('is sent again under its id, with a new period of attempts', () => {
    const id = add();
    outbox.put(id, event('a'));
    endOf(id, 'a', 'failed');
    nowMs += 80 * HOUR_MS;
    expect(outbox.redeliver(id, 'a')).toMatchObject({ id: 'a', state: 'pending', attemptCount: 1 });
    expect(outbox.due(id, 1)).toMatchObject([{ eventId: 'a', attempts: 0, sinceMs: nowMs }]);
    expect(outbox.redeliver(id, 'unknown')).toBeNull();
    expect(outbox.redeliver('other webhook', 'a')).toBeNull();
  });

  test('is removed when it is finished and old, or when too many are finished', () => {
    const id = add();
    for (const letter of ['a', 'b', 'c']) {
      outbox.put(id, event(letter));
      endOf(id, letter, 'delivered');
    }
    outbox.put(id, event('d'));
    outbox.forgetOld(id);
    expect(states(id)).toEqual(['d pending', 'c delivered', 'b delivered']);
    nowMs += limits.keptMs + 1;
    outbox.forgetOld(id);
    expect(states(id)).toEqual(['d pending']);
  });

  test('stays dropped after a late failure, and is delivered after a late success', () => {
    const id = add();
    outbox.put(id, event('a'));
    outbox.put(id, event('b'));
    const [a, b] = outbox.due(id, 2).map(({ key }) => key);
    for (const letter of ['c', 'd', 'e']) outbox.put(id, event(letter));
    const made = { atMs: 1, status: 200, error: null, durationMs: 1 };
    outbox.attempted(a ?? -1, made, { state: 'pending', nextAttemptMs: 0 });
    outbox.attempted(b ?? -1, made, { state: 'delivered' });
    expect(states(id).slice(-2)).toEqual(['b delivered', 'a dropped']);
    expect(outbox.pendingOf(id)).toBe(3);
  });
});
