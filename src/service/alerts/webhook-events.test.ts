import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  buildClassification,
  classificationId,
} from '../../../tests/support/build-classification.ts';
import { buildRuleHit } from '../../../tests/support/build-rule-hit.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { buildFiring } from '../../../tests/support/build-trigger.ts';
import { signatureNamed } from '../../../tests/support/made-up-units.ts';
import { ManualClock } from '../../../tests/support/manual-clock.ts';
import { assertDocumentedDelivery } from '../../../tests/support/stream-conformance.ts';
import { controlFolder, webhookStore } from '../../../tests/support/webhook-store.ts';
import { presentHit } from '../../api/present/present-rule.ts';
import { presentTriggerEvent } from '../../api/present/present-trigger.ts';
import type { Classification } from '../../model/fraud.ts';
import { OPERATOR } from '../../model/rule-change.ts';
import type { Outcome, Signal } from '../../model/signal.ts';
import { asPriceE18, asRawAmount, asSlot, asUsdNano, type Slot } from '../../model/units.ts';
import type { VenueChange } from '../../model/venue-change.ts';
import { WEBHOOK_EVENT_TYPES } from '../../model/webhook.ts';
import type { WebhookEventChanges } from './webhook-events.ts';
import { WebhookService } from './webhook-service.ts';

const NOTHING = { classifications: [], signals: [], outcomes: [], ruleHits: [] };

let folder: ReturnType<typeof controlFolder>;
let store: ReturnType<typeof webhookStore>;
let clock: ManualClock;
let service: WebhookService;
let state: {
  engine: { lastSlot: Slot };
  finalSlot: number;
  unwritten: { changes: WebhookEventChanges }[];
};
let webhookId: string;

const sender = {
  isTaking: false,
  isOpen: true,
  send: async () => ({ kind: 'interrupted' }) as const,
};

function open(): WebhookService {
  return new WebhookService(state, store, {
    ...{ sender, clock, privateOrigins: [], random: () => 1 },
    presentSignal: ({ rowId, model }) => ({ row_id: rowId, model_name: model }),
  });
}

function add(accountId: string, eventTypes: readonly string[] = WEBHOOK_EVENT_TYPES): string {
  const wanted = WEBHOOK_EVENT_TYPES.filter((type) => eventTypes.includes(type));
  const url = 'https://example.com/';
  const added = service.add({ accountId, url, label: null, eventTypes: wanted });
  if (added.kind !== 'done') throw new Error(added.kind);
  return added.webhook.id;
}

beforeEach(() => {
  folder = controlFolder();
  clock = new ManualClock(1_000_000);
  store = webhookStore(folder.path, clock.nowMs);
  state = { engine: { lastSlot: asSlot(10) }, finalSlot: 10, unwritten: [] };
  service = open();
  webhookId = add('one');
});

afterEach(() => {
  store.database.close();
  folder.remove();
});

/** Folds a slot. */
function apply(slot: number, given: Partial<WebhookEventChanges>): WebhookEventChanges {
  const changes = { ...NOTHING, ...given, slot: asSlot(slot) };
  state.engine.lastSlot = asSlot(slot);
  service.events.onApplied(changes);
  return changes;
}

function revert(changes: WebhookEventChanges): void {
  state.engine.lastSlot = asSlot(changes.slot - 1);
  service.events.onReverted(changes);
}

async function finalise(slot: number): Promise<void> {
  state.finalSlot = slot;
  service.events.onStep();
  await clock.pass(1_000);
}

/** All events queued for a webhook, oldest first. */
const bodies = (id = webhookId) =>
  store.outbox.due(id, 1_000).map(({ body }) => JSON.parse(body) as EventBody);
const types = (id = webhookId) => bodies(id).map(({ type }) => type);

interface EventBody {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

function found(confidence: number, given: Partial<Omit<Classification, 'finding'>> = {}) {
  return buildClassification({ ...given, finding: { confidence } });
}

const SIGNAL: Signal = {
  rowId: 7,
  model: 'smart_money_surge',
  version: 1,
  parametersHash: 'a'.repeat(64),
  mint: buildClassification().finding.mint,
  pool: buildClassification().finding.mint,
  name: 'Cat',
  symbol: 'CAT',
  slot: asSlot(11),
  createdAtMs: 1_700_000_000_000,
  asOfSlot: asSlot(10),
  priceUsd: asPriceE18(1n),
  supplyRaw: asRawAmount(1n),
  decimals: 6,
  marketCapUsd: asUsdNano(5n),
  liquidityUsd: asUsdNano(6n),
  ageMs: null,
  features: {},
  passed: [],
};

const OUTCOME: Outcome = {
  rowId: 7,
  highPriceUsd: asPriceE18(1n),
  lowPriceUsd: asPriceE18(1n),
  athMarketCapUsd: asUsdNano(5n),
  maxDrawdownMarketCapUsd: asUsdNano(5n),
  roiE9: 0n,
  maxDrawdownE9: 0n,
  peakDrawdownE9: 0n,
  isFinal: false,
  slot: asSlot(11),
  execution: {
    enteredAtMs: null,
    returns: {
      hold_5m: null,
      hold_1h: null,
      hold_24h: null,
      take_profit_or_stop: null,
      trailing_stop: null,
    },
    roseBeforeFell: null,
  },
};

describe('findings', () => {
  test('are sent once their slot is final, with the content of a fraud check', async () => {
    apply(11, { classifications: [found(0.8)] });
    service.events.onStep();
    await clock.pass(1_000);
    expect(bodies()).toEqual([]);
    await finalise(11);
    expect(bodies()).toMatchObject([
      {
        type: 'fraud.found',
        timestamp: '2025-01-15T14:32:13.000Z',
        data: {
          id: classificationId(1),
          fraud_type: 'traditional_bundle',
          confidence_score: 0.8,
          confidence_level: 'high',
          status: 'active',
        },
      },
    ]);
  });

  test('are sent again when they reach a higher level, and withdrawn when they end', async () => {
    const steps = [0.55, 0.69, 0.7, 0.6, 0.95, 0.72];
    for (const [at, confidence] of steps.entries()) {
      apply(11 + at, { classifications: [found(confidence)] });
    }
    apply(20, { classifications: [found(0.3, { state: 'archived' })] });
    apply(21, { classifications: [found(0.3, { state: 'archived' })] });
    apply(22, { classifications: [found(0.75)] });
    await finalise(22);
    expect(types()).toEqual([
      'fraud.found',
      'fraud.raised',
      'fraud.raised',
      'fraud.withdrawn',
      'fraud.found',
    ]);
  });

  test('are not sent while they are too weak, and withdrawn when they become too weak', async () => {
    apply(11, { classifications: [found(0.49, { state: 'candidate', detectionSlot: null })] });
    await finalise(11);
    expect(types()).toEqual([]);
    apply(12, { classifications: [found(0.5)] });
    apply(13, { classifications: [found(0.49)] });
    await finalise(13);
    expect(types()).toEqual(['fraud.found', 'fraud.withdrawn']);
  });

  test('of a reverted slot are not sent', async () => {
    const lost = apply(11, { classifications: [found(0.8)] });
    revert(lost);
    apply(12, {});
    await finalise(12);
    expect(types()).toEqual([]);
  });

  test('of a slot that is applied again are sent once', async () => {
    const changes = apply(11, { classifications: [found(0.8)] });
    revert(changes);
    apply(11, { classifications: [found(0.8)] });
    await finalise(11);
    expect(types()).toEqual(['fraud.found']);
  });

  test('after a replaced fold are those of the new one, except final ones', async () => {
    apply(11, { classifications: [found(0.8)] });
    apply(12, { classifications: [found(0.8, { id: classificationId(2) })] });
    const other = found(0.8, { id: classificationId(3) });
    const changes = { ...NOTHING, slot: asSlot(12), classifications: [other] };
    state.finalSlot = 11;
    state.unwritten = [{ changes }];
    service.events.onReplaced();
    await finalise(12);
    expect(bodies().map(({ data }) => data.id)).toEqual([classificationId(1), classificationId(3)]);
  });

  test('survive a kill between finality and sending, and are not sent twice by a kill after it', async () => {
    apply(11, { classifications: [found(0.8)] });
    state.finalSlot = 11;
    service = open();
    await clock.pass(1_000);
    expect(types()).toEqual(['fraud.found']);
    // The slot was final but not written: it is fetched and folded again.
    state.engine.lastSlot = asSlot(10);
    state.finalSlot = 10;
    service = open();
    apply(11, { classifications: [found(0.8)] });
    await finalise(11);
    expect(types()).toEqual(['fraud.found']);
  });

  test('reviewed as false positive are withdrawn once, and not sent again', async () => {
    apply(11, { classifications: [found(0.8)] });
    await finalise(11);
    const classification = found(0.8);
    const detail = { classification, status: 'false_positive', confidencesWithout: [] } as const;
    const review = (to: 'reviewed' | 'false_positive') =>
      store.reviews.review(
        { classificationId: classification.id, to, note: null, accountId: 'a', keyId: 'k' },
        'active',
      );
    review('reviewed');
    service.reviewed({ ...detail, status: 'reviewed', reviews: [] });
    expect(types()).toEqual(['fraud.found']);
    review('false_positive');
    service.reviewed({ ...detail, reviews: [] });
    service.reviewed({ ...detail, reviews: [] });
    apply(12, { classifications: [found(0.95)] });
    await finalise(12);
    expect(bodies().map(({ type, data }) => `${type} ${data.status}`)).toEqual([
      'fraud.found active',
      'fraud.withdrawn false_positive',
    ]);
  });

  test('cost nothing without subscribers', async () => {
    store.webhooks.remove({ accountId: 'one', webhookId });
    service.subscribers.reload();
    const other = add('one', ['trigger.fired']);
    apply(11, { classifications: [found(0.8)], signals: [SIGNAL], outcomes: [OUTCOME] });
    expect(store.webhookCandidates.oldestSlot).toBeNull();
    expect(types(other)).toEqual([]);
  });
});

describe('signals', () => {
  test('are sent to all accounts once their slot is final, and random minutes never are', async () => {
    const second = add('two', ['signal.given']);
    const control: Signal = { ...SIGNAL, rowId: 8, model: 'random_minute' };
    apply(11, {
      signals: [SIGNAL, control],
      outcomes: [OUTCOME, { ...OUTCOME, rowId: 8 }],
    });
    expect(types()).toEqual([]);
    await finalise(11);
    const listing = {
      type: 'signal.given',
      timestamp: '2023-11-14T22:13:20.000Z',
      data: { row_id: 7, model_name: 'smart_money_surge' },
    };
    expect([bodies(), bodies(second)]).toEqual([[listing], [listing]]);
    // An event has one ID for all receivers.
    const idOf = (id: string) => store.outbox.due(id, 1)[0]?.eventId;
    expect(idOf(second)).toBe(idOf(webhookId));
  });
});

describe('hits of rules', () => {
  const { outcome: _, ...HIT } = buildRuleHit({ author: 'one' });

  test('are sent once their slot is final, to the account of the rule only, as in their list', async () => {
    const other = add('two');
    apply(11, { ruleHits: [HIT] });
    await finalise(10);
    expect(types()).toEqual([]);
    await finalise(11);
    await finalise(12);
    expect(bodies()).toEqual([
      {
        type: 'rule.hit',
        timestamp: '1970-01-01T00:20:00.000Z',
        data: {
          ...(presentHit({ ...HIT, outcome: null }, undefined) as object),
          author: 'account',
          rule_id: 'dip@1+0123456789abcdef',
          token_address: HIT.mint,
        },
      },
    ]);
    for (const delivery of store.outbox.due(webhookId, 9)) assertDocumentedDelivery(delivery.body);
    expect(types(other)).toEqual([]);
  });

  test('of the operator are sent to all accounts, marked as such', async () => {
    const other = add('two', ['rule.hit']);
    const deaf = add('three', ['signal.given']);
    apply(11, { ruleHits: [{ ...HIT, author: OPERATOR }] });
    await finalise(11);
    expect(bodies()).toMatchObject([{ type: 'rule.hit', data: { author: 'operator' } }]);
    expect([bodies(other), types(deaf)]).toEqual([bodies(), []]);
  });

  test('of a slot that a fork takes back are never sent, and those of its replacement once', async () => {
    revert(apply(11, { ruleHits: [HIT, { ...HIT, rowId: 2, pool: address('other pool') }] }));
    apply(11, { ruleHits: [{ ...HIT, confidence: 0.5 }] });
    await finalise(11);
    expect(bodies()).toMatchObject([{ data: { row_id: 1, confidence: 0.5 } }]);
  });

  test('are sent once when their slot is applied again after a kill, under the same ID', async () => {
    const changes = apply(11, { ruleHits: [HIT] });
    await finalise(11);
    const ids = store.outbox.due(webhookId, 9).map(({ eventId }) => eventId);
    state.unwritten = [{ changes }];
    service = open();
    service.events.onApplied(changes);
    await finalise(12);
    expect(store.outbox.due(webhookId, 9).map(({ eventId }) => eventId)).toEqual(ids);
    expect(ids).toHaveLength(1);
  });

  test('differ in their ID by rule, version, pool and slot', async () => {
    apply(11, {
      ruleHits: [
        HIT,
        { ...HIT, rowId: 2, name: 'rise' },
        { ...HIT, rowId: 3, version: 2 },
        { ...HIT, rowId: 4, pool: address('other pool') },
      ],
    });
    apply(12, { ruleHits: [{ ...HIT, rowId: 5, slot: asSlot(12) }] });
    await finalise(12);
    const ids = store.outbox.due(webhookId, 9).map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(5);
  });

  test('that nobody receives are not kept', () => {
    apply(11, { ruleHits: [{ ...HIT, author: 'nobody' }] });
    expect(store.webhookCandidates.oldestSlot).toBeNull();
  });
});

describe('firings', () => {
  const fired = { kind: 'fired', firing: buildFiring({ accountId: 'one' }) } as const;
  const retracted = {
    kind: 'retracted',
    retraction: {
      ...{ accountId: 'one', number: 2, triggerId: 'busy pool', slot: asSlot(11) },
      ...{ firedNumber: 1, retractedAtMs: 1_700_000_001_000 },
    },
  } as const;

  test('are sent immediately to their own account, as in the list of firings', () => {
    const other = add('two');
    store.together(() => service.events.putTriggerEvents([fired, retracted]));
    expect(bodies()).toEqual([
      {
        type: 'trigger.fired',
        timestamp: '2023-11-14T22:13:20.000Z',
        data: presentTriggerEvent(fired),
      },
      {
        type: 'trigger.retracted',
        timestamp: '2023-11-14T22:13:21.000Z',
        data: presentTriggerEvent(retracted),
      },
    ]);
    expect(types(other)).toEqual([]);
  });

  test('are queued in the transaction that stores them', () => {
    expect(() =>
      store.together(() => {
        service.events.putTriggerEvents([fired]);
        throw new Error('the disk is full');
      }),
    ).toThrow('the disk is full');
    expect(types()).toEqual([]);
  });

  test('go to subscribed webhooks, and to no disabled one', () => {
    const retractions = add('one', ['trigger.retracted']);
    store.webhooks.disable(webhookId, 'gone');
    service.subscribers.reload();
    store.together(() => service.events.putTriggerEvents([fired, retracted]));
    expect([types(), types(retractions)]).toEqual([[], ['trigger.retracted']]);
  });
});

describe('programs that change', () => {
  const CHANGE: VenueChange = {
    kind: 'began',
    slot: asSlot(20),
    timeMs: 1_700_000_000_000,
    alarm: {
      program: 'pump',
      measure: 'unknown',
      sinceSlot: asSlot(12),
      recent: { hits: 30, total: 1_500 },
      past: { hits: 0, total: 0 },
      examples: [
        { what: 'unknown discriminator 01', slot: asSlot(12), signature: signatureNamed('s') },
      ],
    },
  };

  test('reach every subscribed account once', () => {
    const other = add('other');
    const deaf = add('third', ['signal.given']);
    for (const _ of ['once', 'again']) {
      store.together(() => service.events.putVenueChanges([CHANGE]));
      service.events.wakeTouched();
    }
    expect(types(deaf)).toEqual([]);
    expect(bodies(other)).toEqual(bodies());
    expect(bodies()).toEqual([
      {
        type: 'venue.changed',
        timestamp: '2023-11-14T22:13:20.000Z',
        data: {
          program: 'pump',
          measure: 'unknown',
          state: 'began',
          slot: 20,
          since_slot: 12,
          recent: { count: 30, of: 1_500, share: '0.0200' },
          past: { count: 0, of: 0, share: null },
          examples: [{ what: 'unknown discriminator 01', slot: 12, signature: 's' }],
        },
      },
    ]);
  });

  test('have the wall-clock time if the slot has no time, and a separate event for the end', () => {
    store.together(() =>
      service.events.putVenueChanges([CHANGE, { ...CHANGE, kind: 'ended', timeMs: null }]),
    );
    expect(bodies().map(({ timestamp, data }) => [timestamp, data.state])).toEqual([
      ['2023-11-14T22:13:20.000Z', 'began'],
      ['1970-01-01T00:16:40.000Z', 'ended'],
    ]);
  });
});
