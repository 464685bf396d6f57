import { expect, test } from 'vitest';
import { UUID } from '../../lib/uuid.ts';
import { toWebhookEvent } from './webhook-event.ts';

const DRAFT = {
  type: 'trigger.fired',
  name: 'account 7',
  timestamp: '2025-01-15T14:32:08.000Z',
  data: { slot: 3, retracted_at: null },
} as const;

test('an event has type, timestamp and data, in this order', () => {
  expect(toWebhookEvent(DRAFT).body).toBe(
    '{"type":"trigger.fired","timestamp":"2025-01-15T14:32:08.000Z","data":{"slot":3,"retracted_at":null}}',
  );
});

test('the same event always has the same id, and no other event has it', () => {
  const { id } = toWebhookEvent(DRAFT);
  expect(id).toMatch(UUID);
  expect(toWebhookEvent({ ...DRAFT, timestamp: 'later', data: 1 }).id).toBe(id);
  expect(toWebhookEvent({ ...DRAFT, name: 'account 8' }).id).not.toBe(id);
  expect(toWebhookEvent({ ...DRAFT, type: 'trigger.retracted' }).id).not.toBe(id);
});
