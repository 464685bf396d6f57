import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../tests/support/manual-clock.ts';
import { controlFolder, webhookStore } from '../../../tests/support/webhook-store.ts';
import type { AttemptResult } from '../../alerts/webhooks/attempt-verdict.ts';
import { signatureOf } from '../../alerts/webhooks/signature.ts';
import type { OutgoingRequest, WebhookSender } from '../../alerts/webhooks/webhook-sender.ts';
import { StoreError } from '../../model/errors.ts';
import { asSlot } from '../../model/units.ts';
import type { Webhook, WebhookRequest } from '../../model/webhook.ts';
import { WebhookService } from './webhook-service.ts';

const START_MS = Date.UTC(2025, 0, 15, 14, 32, 8);
const HOUR_MS = 3_600_000;
const REQUEST: WebhookRequest = {
  accountId: 'one',
  url: 'https://example.com/hook',
  label: null,
  eventTypes: ['trigger.fired'],
};

const OK: AttemptResult = { kind: 'answered', status: 200, retryAfter: null, durationMs: 1 };
const answered = (status: number, retryAfter: string | null = null): AttemptResult => ({
  ...OK,
  status,
  retryAfter,
});

/** Answers as configured, and records what was sent. */
class FakeSender implements WebhookSender {
  isTaking = true;
  isOpen = true;
  readonly sent: OutgoingRequest[] = [];
  running = 0;
  runningMost = 0;
  answer: (request: OutgoingRequest) => AttemptResult | Promise<AttemptResult> = () => OK;

  able: () => void = () => undefined;

  onAble(listener: () => void): void {
    this.able = listener;
  }

  async send(request: OutgoingRequest): Promise<AttemptResult> {
    this.sent.push(request);
    this.running++;
    this.runningMost = Math.max(this.runningMost, this.running);
    const result = await this.answer(request);
    this.running--;
    return result;
  }
}

let folder: ReturnType<typeof controlFolder>;
let store: ReturnType<typeof webhookStore>;
let clock: ManualClock;
let sender: FakeSender;
let service: WebhookService;

function open(): WebhookService {
  const state = { engine: { lastSlot: asSlot(6) }, finalSlot: 6, unwritten: [] };
  const parts = { privateOrigins: [], presentSignal: String, random: () => 1 };
  return new WebhookService(state, store, { ...parts, sender, clock });
}

beforeEach(() => {
  folder = controlFolder();
  clock = new ManualClock(START_MS);
  store = webhookStore(folder.path, clock.nowMs);
  sender = new FakeSender();
  service = open();
});

afterEach(() => {
  store.database.close();
  folder.remove();
});

function add(request: Partial<WebhookRequest> = {}) {
  const added = service.add({ ...REQUEST, ...request });
  if (added.kind !== 'done') throw new Error(added.kind);
  const { webhook, secret } = added;
  return { secret, name: { accountId: webhook.accountId, webhookId: webhook.id } };
}

const put = (webhookId: string, ...ids: readonly string[]) => {
  for (const id of ids) store.outbox.put(webhookId, { id, type: 'trigger.fired', body: id });
  service.dispatch.wake([webhookId]);
};
const idsSent = () => sender.sent.map(({ headers }) => headers['webhook-id']);

describe('A-19 a webhook', () => {
  test('receives events immediately, signed, with the ID of the event', async () => {
    const { secret, name } = add();
    put(name.webhookId, 'event-1');
    await clock.pass(0);
    const [request] = sender.sent;
    const timestamp = START_MS / 1_000;
    expect(request).toEqual({
      url: REQUEST.url,
      body: 'event-1',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'event-1',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf({ id: 'event-1', timestamp, body: 'event-1' }, [secret]),
      },
    });
    await clock.pass(100);
    expect(store.outbox.find(name.webhookId, 'event-1')).toMatchObject({ state: 'delivered' });
    await clock.pass(100 * HOUR_MS);
    expect(idsSent()).toEqual(['event-1']);
    expect(service.dispatch.counts).toMatchObject({ delivered: 1, retried: 0 });
  });

  test('waits 5 s where another process may send, and not at all once this one may', async () => {
    const { name } = add();
    sender.answer = () => ({ kind: 'interrupted' });
    put(name.webhookId, 'event-1', 'event-2');
    await clock.pass(1_000);
    expect(idsSent()).toEqual(['event-1', 'event-2']);
    sender.answer = () => OK;
    sender.able();
    await clock.pass(100);
    expect(idsSent()).toEqual(['event-1', 'event-2', 'event-1', 'event-2']);
    expect(store.outbox.find(name.webhookId, 'event-2')).toMatchObject({ state: 'delivered' });
  });

  test('that was refused a moment before this process may send does not wait either', async () => {
    const { name } = add();
    const { promise, resolve } = Promise.withResolvers<AttemptResult>();
    sender.answer = () => promise;
    put(name.webhookId, 'event-1');
    await clock.pass(0);
    sender.answer = () => OK;
    sender.able();
    resolve({ kind: 'interrupted' });
    await clock.pass(100);
    expect(idsSent()).toEqual(['event-1', 'event-1']);
  });

  test('that a receiver failed keeps its time when this process may send', async () => {
    const { name } = add();
    sender.answer = () => answered(500);
    put(name.webhookId, 'event-1');
    await clock.pass(1_000);
    sender.able();
    await clock.pass(1_000);
    expect(idsSent()).toEqual(['event-1']);
  });

  test('that fails is retried after 5, 20 and 80 s, with the same ID and a new time', async () => {
    const { name } = add();
    sender.answer = () => answered(sender.sent.length < 4 ? 500 : 204);
    put(name.webhookId, 'event-1');
    await clock.pass(200_000);
    const seconds = sender.sent.map(
      ({ headers }) => Number(headers['webhook-timestamp']) - START_MS / 1_000,
    );
    // Results are stored 25 ms after they arrive, and delays start from there.
    expect(seconds).toEqual([0, 5, 25, 105]);
    expect(new Set(idsSent())).toEqual(new Set(['event-1']));
    const delivery = store.outbox.find(name.webhookId, 'event-1');
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([204, 500, 500, 500]);
    expect(service.find(name)).toMatchObject({
      failuresInRow: 0,
      failingSinceMs: null,
      pending: 0,
    });
  });

  test('is retried when its Retry-After says', async () => {
    const { name } = add();
    sender.answer = () => answered(429, '600');
    put(name.webhookId, 'event-1');
    await clock.pass(599_000);
    expect(sender.sent.length).toBe(1);
    await clock.pass(2_000);
    expect(sender.sent.length).toBe(2);
  });

  test('without a success for three days is disabled, with the reason', async () => {
    const { name } = add();
    sender.answer = () => ({ kind: 'unanswered', error: 'timed-out', durationMs: 5_000 });
    put(name.webhookId, 'event-1');
    await clock.pass(71 * HOUR_MS);
    expect(service.find(name)).toMatchObject({ disabledAtMs: null, failuresInRow: 13 });
    put(name.webhookId, 'event-2', 'event-3');
    await clock.pass(2 * HOUR_MS);
    expect(store.outbox.find(name.webhookId, 'event-1')).toMatchObject({ state: 'failed' });
    expect(service.find(name)).toMatchObject({ disabledReason: 'failing', pending: 0 });
    expect(store.outbox.find(name.webhookId, 'event-2')).toMatchObject({ state: 'cancelled' });
    const { length } = sender.sent;
    await clock.pass(1_000 * HOUR_MS);
    expect(sender.sent.length).toBe(length);
  });

  test('that is gone is disabled immediately, with the reason, and can be enabled again', async () => {
    const { name } = add();
    sender.answer = () => answered(410);
    put(name.webhookId, 'event-1');
    await clock.pass(1_000);
    put(name.webhookId, 'event-2');
    await clock.pass(HOUR_MS);
    expect(idsSent()).toEqual(['event-1']);
    expect(service.find(name)).toMatchObject({
      disabledReason: 'gone',
      disabledAtMs: START_MS + 25,
    });
    expect(service.test(name)).toEqual({ kind: 'disabled' });
    expect(service.redeliver({ ...name, deliveryId: 'event-1' })).toEqual({ kind: 'disabled' });
    sender.answer = () => OK;
    expect(service.enable(name)).toMatchObject({ disabledAtMs: null });
    expect(service.redeliver({ ...name, deliveryId: 'event-1' })).toMatchObject({ kind: 'done' });
    await clock.pass(1_000);
    expect(store.outbox.find(name.webhookId, 'event-1')).toMatchObject({ state: 'delivered' });
  });

  test('gets a test ping, and redeliveries of any logged event with its own ID', async () => {
    const { name } = add();
    const ping = service.test(name);
    if (ping.kind !== 'done') throw new Error(ping.kind);
    await clock.pass(100);
    expect(JSON.parse(sender.sent[0]?.body ?? '')).toEqual({
      type: 'ping',
      timestamp: '2025-01-15T14:32:08.000Z',
      data: { webhook_id: name.webhookId },
    });
    service.redeliver({ ...name, deliveryId: ping.delivery.id });
    await clock.pass(100);
    expect(idsSent()).toEqual([ping.delivery.id, ping.delivery.id]);
    expect(sender.sent[1]?.body).toBe(sender.sent[0]?.body);
    expect(service.redeliver({ ...name, deliveryId: 'unknown' })).toEqual({ kind: 'unknown' });
  });

  test('whose secret was rotated gets both signatures for a day', async () => {
    const { secret, name } = add();
    const rotated = service.rotate(name);
    put(name.webhookId, 'event-1');
    await clock.pass(24 * HOUR_MS);
    put(name.webhookId, 'event-2');
    await clock.pass(100);
    const signed = (id: string, timestamp: number, secrets: readonly string[]) =>
      signatureOf({ id, timestamp, body: id }, secrets);
    const newest = rotated?.secret ?? '';
    const startSeconds = START_MS / 1_000;
    expect(sender.sent.map(({ headers }) => headers['webhook-signature'])).toEqual([
      signed('event-1', startSeconds, [newest, secret]),
      signed('event-2', startSeconds + 86_400, [newest]),
    ]);
  });

  test('of another account is unknown to every call', () => {
    const { name } = add();
    const other = { ...name, accountId: 'two' };
    expect(service.find(other)).toBeNull();
    expect(service.remove(other)).toBeNull();
    expect(service.rotate(other)).toBeNull();
    expect(service.enable(other)).toBeNull();
    expect(service.test(other)).toEqual({ kind: 'unknown' });
    expect(service.deliveries({ ...other, limit: 1, offset: 0 })).toBeNull();
    expect(service.redeliver({ ...other, deliveryId: 'a' })).toEqual({ kind: 'unknown' });
    expect(service.list('two')).toEqual([]);
    expect(service.list('one').map(({ id }: Webhook) => id)).toEqual([name.webhookId]);
  });

  test('with a disallowed URL is refused, and so is the twenty-first', () => {
    expect(service.add({ ...REQUEST, url: 'https://10.0.0.1/' })).toEqual({
      kind: 'refused',
      reason:
        'must name a host of the open internet, unless --webhook-private-origins names its origin',
    });
    for (let added = 0; added < 20; added++) add();
    expect(service.add(REQUEST)).toEqual({ kind: 'full', webhooksMax: 20 });
  });

  test('that is removed receives nothing more', async () => {
    const { name } = add();
    sender.answer = () => answered(500);
    put(name.webhookId, 'event-1');
    await clock.pass(1_000);
    expect(service.remove(name)?.id).toBe(name.webhookId);
    await clock.pass(HOUR_MS);
    expect([sender.sent.length, service.pending]).toEqual([1, 0]);
  });
});

describe('A-19 attempts', () => {
  test('are limited to 4 per webhook and 64 in total, and all events arrive', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<AttemptResult>((resolve) => {
      release = () => resolve(OK);
    });
    sender.answer = () => gate;
    const names = Array.from({ length: 20 }, (_, at) => add({ accountId: `account ${at}` }).name);
    const ids = Array.from({ length: 6 }, (_, at) => `event-${at}`);
    // 2 of the first, 4 of the next fifteen, and 2 of the seventeenth: 64 in total.
    for (const [at, { webhookId }] of names.entries()) put(webhookId, ...ids.slice(0, at || 2));
    for (const { webhookId } of names.slice(1)) put(webhookId, ...ids);
    await clock.pass(10);
    expect([sender.running, sender.sent.length]).toEqual([64, 64]);
    expect(service.pending).toBe(2 + 19 * 6);
    release();
    await clock.pass(1_000);
    expect([sender.runningMost, sender.sent.length, service.pending]).toEqual([64, 116, 0]);
  });

  test('of one account are limited to 16, so that its hanging receivers delay no other account', async () => {
    const never = new Promise<AttemptResult>(() => undefined);
    sender.answer = ({ url }) => (url.includes('silent') ? never : OK);
    const url = 'https://silent.example.com/hook';
    const silent = Array.from({ length: 20 }, () => add({ accountId: 'attacker', url }).name);
    const other = add({ accountId: 'other' }).name;
    for (const { webhookId } of silent) put(webhookId, 'one', 'two', 'three', 'four');
    await clock.pass(10);
    expect(sender.running).toBe(16);
    put(other.webhookId, 'event-1');
    await clock.pass(10);
    expect(sender.running).toBe(16);
    expect(idsSent()).toContain('event-1');
  });

  test('of an account continue with any waiting webhook once one of them has ended', async () => {
    let release: (result: AttemptResult) => void = () => undefined;
    const held: Promise<AttemptResult> = new Promise((resolve) => {
      release = resolve;
    });
    sender.answer = ({ url }) => (url.includes('held') ? held : OK);
    const url = 'https://held.example.com/hook';
    const names = Array.from({ length: 4 }, () => add({ accountId: 'one', url }).name);
    for (const { webhookId } of names) put(webhookId, 'one', 'two', 'three', 'four');
    const last = add({ accountId: 'one' }).name;
    put(last.webhookId, 'waiting');
    await clock.pass(10);
    expect(idsSent()).not.toContain('waiting');
    release(OK);
    await clock.pass(100);
    expect(idsSent()).toContain('waiting');
    expect(service.pending).toBe(0);
  });

  test('of one webhook whose results are not stored yet are limited to 64', async () => {
    const { name } = add();
    put(name.webhookId, ...Array.from({ length: 100 }, (_, at) => `event-${at}`));
    await clock.pass(24);
    expect([sender.sent.length, service.pending]).toEqual([64, 100]);
    await clock.pass(1_000);
    expect([sender.sent.length, service.pending]).toEqual([100, 0]);
  });

  test('to a hanging webhook do not delay others', async () => {
    const slow = add().name.webhookId;
    const fast = add({ url: 'https://example.org/' }).name.webhookId;
    sender.answer = ({ url }) => (url.includes('.com') ? new Promise(() => undefined) : OK);
    put(slow, ...Array.from({ length: 50 }, (_, at) => `slow-${at}`));
    put(fast, ...Array.from({ length: 50 }, (_, at) => `fast-${at}`));
    await clock.pass(2_000);
    expect([store.outbox.pendingOf(slow), store.outbox.pendingOf(fast)]).toEqual([50, 0]);
    expect(sender.running).toBe(4);
  });

  test('interrupted by a stopped sender are repeated and not counted as failures', async () => {
    const { name } = add();
    sender.answer = () => (sender.sent.length === 1 ? { kind: 'interrupted' } : OK);
    put(name.webhookId, 'event-1');
    await clock.pass(4_000);
    expect(idsSent()).toEqual(['event-1']);
    await clock.pass(2_000);
    expect(idsSent()).toEqual(['event-1', 'event-1']);
    const delivery = store.outbox.find(name.webhookId, 'event-1');
    expect(delivery).toMatchObject({ state: 'delivered', attemptCount: 1 });
    expect(service.dispatch.counts).toMatchObject({ interrupted: 1, delivered: 1 });
  });

  test('whose results the store refuses temporarily are stored later, and not repeated', async () => {
    const { together } = store;
    let refusals = 1;
    store = {
      ...store,
      together: (work) => {
        if (refusals-- > 0) throw new StoreError('the disk is full', { isTransient: true });
        return together(work);
      },
    };
    service = open();
    const { name } = add();
    put(name.webhookId, 'event-1');
    await clock.pass(4_000);
    expect([idsSent(), service.pending]).toEqual([['event-1'], 1]);
    await clock.pass(HOUR_MS);
    expect([idsSent(), service.pending]).toEqual([['event-1'], 0]);
    expect(store.outbox.find(name.webhookId, 'event-1')).toMatchObject({ state: 'delivered' });
  });

  test('continue after a restart with the pending deliveries', async () => {
    const { name } = add();
    sender.answer = () => answered(500);
    put(name.webhookId, 'event-1', 'event-2');
    await clock.pass(1_000);
    sender.isTaking = false;
    sender.isOpen = false;
    sender = new FakeSender();
    service = open();
    await clock.pass(10_000);
    expect(idsSent().toSorted()).toEqual(['event-1', 'event-2']);
    expect(service.pending).toBe(0);
  });

  test('stop when the sender accepts nothing more', async () => {
    const { name } = add();
    put(name.webhookId, 'event-1');
    sender.isTaking = false;
    await clock.pass(HOUR_MS);
    expect([sender.sent.length, service.pending]).toEqual([0, 1]);
  });
});
