import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '../../alerts/webhooks/attempt-verdict.ts';
import type { OutgoingRequest, WebhookSender } from '../../alerts/webhooks/webhook-sender.ts';
import type { Deliveries } from '../../cluster/deliveries.ts';
import { LeasedSender } from './leased-sender.ts';

const REQUEST: OutgoingRequest = {
  url: 'https://receiver.example/hook',
  headers: { 'webhook-id': 'event-1' },
  body: '{}',
};
const ARRIVED: AttemptResult = { kind: 'answered', status: 204, retryAfter: null, durationMs: 3 };

class Receiver implements WebhookSender {
  readonly isTaking = true;
  readonly isOpen = true;
  readonly got: OutgoingRequest[] = [];
  result: AttemptResult = ARRIVED;

  async send(request: OutgoingRequest): Promise<AttemptResult> {
    this.got.push(request);
    return this.result;
  }
}

class Announcements implements Deliveries {
  private readonly listeners: ((id: string) => void)[] = [];

  announce(id: string): void {
    for (const listener of this.listeners) listener(id);
  }

  listen(listener: (id: string) => void): void {
    this.listeners.push(listener);
  }
}

/** Two processes with a copy of one webhook; the first of them holds the lease. */
function twoProcesses() {
  const receiver = new Receiver();
  const deliveries = new Announcements();
  const leader = { isHeld: true, confirm: async () => leader.isHeld };
  const follower = { isHeld: false, confirm: async () => follower.isHeld };
  const [one, other] = [new LeasedSender(receiver), new LeasedSender(receiver)];
  one.join({ lease: leader, deliveries });
  other.join({ lease: follower, deliveries });
  return { receiver, leader, follower, one, other };
}

describe('webhooks of which several processes have copies', () => {
  it('are sent by the holder of the lease alone', async () => {
    const { receiver, one, other } = twoProcesses();
    expect(await other.send(REQUEST)).toEqual({ kind: 'interrupted' });
    expect(await one.send(REQUEST)).toEqual(ARRIVED);
    expect(receiver.got).toHaveLength(1);
  });

  it('tell who waits for them when this process takes the lease', () => {
    const { other } = twoProcesses();
    let calls = 0;
    other.onAble(() => calls++);
    expect(calls).toBe(0);
    other.took();
    expect(calls).toBe(1);
  });

  it('count as delivered by others once the holder has announced them', async () => {
    const { receiver, one, follower, other } = twoProcesses();
    await one.send(REQUEST);
    follower.isHeld = true;
    expect(await other.send(REQUEST)).toMatchObject({ kind: 'answered', status: 208 });
    expect(receiver.got).toHaveLength(1);
  });

  it('count as delivered where none are, once the holder has announced them', async () => {
    const receiver = new Receiver();
    const deliveries = new Announcements();
    const [one, gatherer] = [new LeasedSender(receiver), new LeasedSender(receiver)];
    one.join({ lease: { confirm: async () => true }, deliveries });
    gatherer.join({ lease: null, deliveries });
    expect(await gatherer.send(REQUEST)).toEqual({ kind: 'interrupted' });
    await one.send(REQUEST);
    expect(await gatherer.send(REQUEST)).toMatchObject({ kind: 'answered', status: 208 });
    expect(receiver.got).toHaveLength(1);
  });

  it('are sent by the next holder if they had not arrived', async () => {
    const { receiver, one, leader, follower, other } = twoProcesses();
    receiver.result = { kind: 'answered', status: 500, retryAfter: null, durationMs: 1 };
    await one.send(REQUEST);
    leader.isHeld = false;
    follower.isHeld = true;
    receiver.result = ARRIVED;
    expect(await one.send(REQUEST)).toEqual({ kind: 'interrupted' });
    expect(await other.send(REQUEST)).toEqual(ARRIVED);
    expect(receiver.got).toHaveLength(2);
  });

  it('can be sent again by the holder', async () => {
    const { receiver, one } = twoProcesses();
    await one.send(REQUEST);
    expect(await one.send(REQUEST)).toEqual(ARRIVED);
    expect(receiver.got).toHaveLength(2);
  });

  it('wait until the processes can agree', async () => {
    const receiver = new Receiver();
    expect(await new LeasedSender(receiver).send(REQUEST)).toEqual({ kind: 'interrupted' });
    expect(receiver.got).toEqual([]);
  });
});
