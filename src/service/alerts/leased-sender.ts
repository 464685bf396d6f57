import type { AttemptResult } from '../../alerts/webhooks/attempt-verdict.ts';
import type { OutgoingRequest, WebhookSender } from '../../alerts/webhooks/webhook-sender.ts';
import type { Deliveries } from '../../cluster/deliveries.ts';
import type { Lease } from '../../cluster/lease.ts';

/** What several processes with copies of the same webhooks agree through. */
export interface SharedDelivery {
  /** Null for a process that leaves all deliveries to others. */
  readonly lease: Pick<Lease, 'confirm'> | null;
  readonly deliveries: Deliveries;
}

/** HTTP's "Already Reported": another process has delivered the event. */
const DELIVERED_ELSEWHERE = 208;
const REMEMBERED_MAX = 100_000;

/**
 * Sends webhooks only while this process holds the lease, which is confirmed before each request.
 * Deliveries that another process announced count as delivered; all others are tried again until
 * this process or another has the lease. Without agreement yet, nothing is sent.
 */
export class LeasedSender implements WebhookSender {
  private readonly inner: WebhookSender;
  private readonly delivered = new Set<string>();
  private readonly announced = new Set<string>();
  private shared: SharedDelivery | null = null;
  private readonly listeners: (() => void)[] = [];

  constructor(inner: WebhookSender) {
    this.inner = inner;
  }

  get isTaking(): boolean {
    return this.inner.isTaking;
  }

  get isOpen(): boolean {
    return this.inner.isOpen;
  }

  /** The servers through which processes agree answer. */
  join(shared: SharedDelivery): void {
    this.shared = shared;
    shared.deliveries.listen((id) => this.remember(id));
  }

  onAble(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** This process holds the lease from now on: what another one left need not wait. */
  took(): void {
    for (const listener of this.listeners) listener();
  }

  async send(request: OutgoingRequest): Promise<AttemptResult> {
    const id = idOf(request);
    if (this.delivered.has(id)) {
      return { kind: 'answered', status: DELIVERED_ELSEWHERE, retryAfter: null, durationMs: 0 };
    }
    const isLeader = (await this.shared?.lease?.confirm()) === true;
    if (!isLeader) return { kind: 'interrupted' };
    const result = await this.inner.send(request);
    const isDelivered = result.kind === 'answered' && result.status >= 200 && result.status < 300;
    if (isDelivered) this.announce(id);
    return result;
  }

  private announce(id: string): void {
    addBounded(this.announced, id);
    this.shared?.deliveries.announce(id);
  }

  /** One's own deliveries are not remembered, so that they can be repeated by hand. */
  private remember(id: string): void {
    if (this.announced.delete(id)) return;
    addBounded(this.delivered, id);
  }
}

/** Without the servers, announcements are not heard and would stay forever. */
function addBounded(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > REMEMBERED_MAX && oldest !== undefined) ids.delete(oldest);
}

/** The event and its receiver: copies of a webhook have both in common. */
function idOf({ headers, url }: OutgoingRequest): string {
  return `${headers['webhook-id'] ?? ''} ${url}`;
}
