import { findingEvent, levelReached } from '../../alerts/webhooks/finding-event.ts';
import { type EventDraft, toWebhookEvent } from '../../alerts/webhooks/webhook-event.ts';
import { formatInstant } from '../../api/present/format-wire.ts';
import { presentClassification } from '../../api/present/present-classification.ts';
import { presentTriggerEvent } from '../../api/present/present-trigger.ts';
import { presentVenueChange } from '../../api/present/present-venue-change.ts';
import type { FoldListener } from '../../ingestion/fold-listener.ts';
import { parseBigintJson, toBigintJson } from '../../lib/bigint-json.ts';
import { DeferredWrites } from '../../lib/deferred-writes.ts';
import { isTransientError } from '../../lib/transient-error.ts';
import type { SlotChanges } from '../../model/derived.ts';
import type { Classification } from '../../model/fraud.ts';
import { isPublished, type JudgedClassification, statusOf } from '../../model/fraud-review.ts';
import { isShown, type SignalListing, toListing } from '../../model/signal-listing.ts';
import { numberOf, type TriggerEvent } from '../../model/trigger.ts';
import type { Slot } from '../../model/units.ts';
import type { VenueChange } from '../../model/venue-change.ts';
import type { WebhookEventType } from '../../model/webhook.ts';
import type { ReviewTable } from '../../store/control/reviews.ts';
import type {
  WebhookCandidate,
  WebhookCandidates,
} from '../../store/control/webhook-candidates.ts';
import type { WebhookOutbox } from '../../store/control/webhook-outbox.ts';
import { hitCandidates, hitEvent } from './hit-events.ts';
import type { DispatchClock } from './webhook-dispatch.ts';
import type { WebhookSubscribers } from './webhook-subscribers.ts';

/** Delay before final events are released, which batches many slots. */
const RELEASE_MS = 100;
/** Retry delay after the database refused. */
const REFUSED_MS = 2_000;
/** Candidates per transaction. */
const RELEASED_AT_ONCE = 200;

/** State that events are derived from. */
export interface WebhookEventState {
  readonly engine: { readonly lastSlot: Slot | null };
  /** Slots up to this one cannot be reverted. */
  readonly finalSlot: number;
  /** Slots that are not stored yet, oldest first. */
  readonly unwritten: readonly { readonly changes: WebhookEventChanges }[];
}

export type WebhookEventChanges = Pick<
  SlotChanges,
  'slot' | 'classifications' | 'signals' | 'outcomes' | 'ruleHits'
>;

export interface WebhookEventStore {
  readonly outbox: Pick<WebhookOutbox, 'put'>;
  readonly webhookCandidates: WebhookCandidates;
  readonly reviews: Pick<ReviewTable, 'statusOf'>;
}

/** Formats a signal as in the REST interface. */
export type PresentSignal = (listing: SignalListing) => unknown;

export interface WebhookEventParts {
  readonly presentSignal: PresentSignal;
  readonly clock: Pick<DispatchClock, 'after' | 'nowMs'>;
  /** Called after events for these webhooks were committed. */
  readonly wake: (webhookIds: Iterable<string>) => void;
  readonly isOpen: () => boolean;
}

/**
 * Creates webhook events from the changes of the fold. Trigger events are sent immediately and
 * retracted by a separate event; findings, signals and hits of rules are sent once their slot is
 * final.
 */
export class WebhookEvents implements FoldListener {
  private readonly state: WebhookEventState;
  private readonly store: WebhookEventStore;
  private readonly subscribers: WebhookSubscribers;
  private readonly parts: WebhookEventParts;
  /** Slot of the oldest candidate; null if there are none. */
  private oldestSlot: number | null = null;
  private isScheduled = false;
  private touched = new Set<string>();
  private readonly writes = new DeferredWrites();

  constructor(
    state: WebhookEventState,
    store: WebhookEventStore,
    subscribers: WebhookSubscribers,
    parts: WebhookEventParts,
  ) {
    this.state = state;
    this.store = store;
    this.subscribers = subscribers;
    this.parts = parts;
    this.onReplaced();
    this.onStep();
  }

  onApplied(changes: WebhookEventChanges): void {
    this.take(changes);
  }

  onReverted({ slot }: Pick<WebhookEventChanges, 'slot'>): void {
    const { oldestSlot } = this;
    if (this.writes.isWaiting || (oldestSlot !== null && oldestSlot <= slot)) this.forget(slot);
  }

  /** Replaces the candidates of revertible slots by those of the new engine. */
  onReplaced(): void {
    const { finalSlot, unwritten } = this.state;
    this.writes.add(() => this.store.webhookCandidates.forgetAfter(finalSlot));
    for (const { changes } of unwritten) if (changes.slot > finalSlot) this.take(changes);
    this.writes.add(() => {
      this.oldestSlot = this.store.webhookCandidates.oldestSlot;
    });
  }

  settle(): void {
    this.writes.settle();
  }

  onStep(): void {
    const { oldestSlot } = this;
    if (oldestSlot === null || oldestSlot > this.state.finalSlot || this.isScheduled) return;
    this.isScheduled = true;
    this.parts.clock.after(RELEASE_MS, () => {
      this.isScheduled = false;
      if (this.parts.isOpen()) this.releaseOrWait();
    });
  }

  /** Queues trigger events, within the transaction that stores them. */
  putTriggerEvents(events: readonly TriggerEvent[]): void {
    for (const event of events) {
      const { accountId, atMs, type } = triggerEventOf(event);
      this.put(accountId, {
        type,
        name: `${accountId} ${numberOf(event)}`,
        timestamp: formatInstant(atMs),
        data: presentTriggerEvent(event),
      });
    }
  }

  /** Queues the withdrawal of a published finding after a review. Called within a transaction. */
  reviewed(judged: JudgedClassification, atMs: number): void {
    const { classification } = judged;
    if (isPublished(judged) || this.store.webhookCandidates.publishedLevel(classification.id) === 0)
      return;
    this.publishFinding(judged, `reviewed ${atMs}`, atMs);
  }

  /** Queues program changes, within the transaction that stores them. */
  putVenueChanges(changes: readonly VenueChange[]): void {
    for (const change of changes) {
      const { kind, slot, timeMs, alarm } = change;
      this.put(null, {
        type: 'venue.changed',
        name: `${alarm.program} ${alarm.measure} ${kind} ${slot}`,
        timestamp: formatInstant(timeMs ?? this.parts.clock.nowMs()),
        data: presentVenueChange(change),
      });
    }
  }

  private take(changes: WebhookEventChanges): void {
    const candidates = this.candidatesOf(changes);
    if (candidates.length === 0) return;
    this.writes.add(() => {
      this.store.webhookCandidates.add(candidates);
      this.oldestSlot = Math.min(this.oldestSlot ?? changes.slot, changes.slot);
    });
  }

  private forget(slot: Slot): void {
    this.writes.add(() => {
      this.store.webhookCandidates.forget(slot);
      this.oldestSlot = this.store.webhookCandidates.oldestSlot;
    });
  }

  private candidatesOf(changes: WebhookEventChanges): readonly WebhookCandidate[] {
    const { slot, classifications, signals, outcomes } = changes;
    const found: WebhookCandidate[] = hitCandidates(changes, this.subscribers);
    if (classifications.length > 0 && this.subscribers.wants('fraud.')) {
      for (const one of classifications) {
        if (one.state === 'candidate') continue;
        found.push({ slot, kind: 'finding', name: one.id, content: toBigintJson(one) });
      }
    }
    if (signals.length > 0 && this.subscribers.wants('signal.')) {
      const outcomeOf = new Map(outcomes.map((outcome) => [outcome.rowId, outcome]));
      for (const signal of signals) {
        const outcome = outcomeOf.get(signal.rowId);
        if (!isShown(signal) || outcome === undefined) continue;
        const name = `${signal.model} ${signal.mint}`;
        const content = toBigintJson(toListing(signal, outcome));
        found.push({ slot, kind: 'signal', name, content });
      }
    }
    return found;
  }

  /** If the database refuses, the release is retried with a later step or after a delay. */
  private releaseOrWait(): void {
    if (this.writes.isWaiting) return;
    try {
      this.release();
    } catch (error) {
      if (!isTransientError(error)) throw error;
      this.isScheduled = true;
      this.parts.clock.after(REFUSED_MS, () => {
        this.isScheduled = false;
        this.onStep();
      });
    }
  }

  private release(): void {
    const { webhookCandidates } = this.store;
    const { finalSlot } = this.state;
    webhookCandidates.release(finalSlot, RELEASED_AT_ONCE, (candidates) => {
      for (const candidate of candidates) this.publishCandidate(candidate);
    });
    this.oldestSlot = webhookCandidates.oldestSlot;
    this.wakeTouched();
    this.onStep();
  }

  private publishCandidate({ kind, name, slot, content }: WebhookCandidate): void {
    if (kind === 'finding') {
      const classification = parseBigintJson(content) as Classification;
      const status = statusOf(classification.state, this.store.reviews.statusOf(name));
      this.publishFinding({ classification, status }, String(slot), classification.updatedMs);
      return;
    }
    if (kind === 'hit') {
      const { accountId, draft } = hitEvent({ name, content });
      this.put(accountId, draft);
      return;
    }
    const listing = parseBigintJson(content) as SignalListing;
    this.put(null, {
      type: 'signal.given',
      name: `${name} ${slot}`,
      timestamp: formatInstant(listing.createdAtMs),
      data: this.parts.presentSignal(listing),
    });
  }

  private publishFinding(judged: JudgedClassification, when: string, atMs: number): void {
    const { id, finding, slot } = judged.classification;
    const { webhookCandidates } = this.store;
    const level = levelReached(isPublished(judged), finding.confidence);
    const type = findingEvent(webhookCandidates.publishedLevel(id), level);
    if (type === null) return;
    webhookCandidates.setPublishedLevel(id, level, slot);
    const data = presentClassification(judged);
    this.put(null, {
      type,
      name: `${id} ${when}`,
      timestamp: formatInstant(atMs),
      data,
    });
  }

  /** Queues an event for the webhooks of an account, or for those of all accounts if null. */
  private put(
    accountId: string | null,
    draft: EventDraft & { readonly type: WebhookEventType },
  ): void {
    const ids = [...this.subscribers.wanting(draft.type, accountId)];
    if (ids.length === 0) return;
    const event = toWebhookEvent(draft);
    for (const id of ids) {
      this.store.outbox.put(id, event);
      this.touched.add(id);
    }
  }

  /** Wakes webhooks after a transaction in which events were queued for them. */
  wakeTouched(): void {
    if (this.touched.size === 0) return;
    const { touched } = this;
    this.touched = new Set();
    this.parts.wake(touched);
  }
}

function triggerEventOf(event: TriggerEvent): {
  readonly type: WebhookEventType;
  readonly accountId: string;
  readonly atMs: number;
} {
  if (event.kind === 'fired') {
    const { accountId, firedAtMs: atMs } = event.firing;
    return { type: 'trigger.fired', accountId, atMs };
  }
  const { accountId, retractedAtMs: atMs } = event.retraction;
  return { type: 'trigger.retracted', accountId, atMs };
}
