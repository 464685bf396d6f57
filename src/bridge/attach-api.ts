import type { WebhookSender } from '../alerts/webhooks/webhook-sender.ts';
import { HOLDERS_MAX } from '../api/deps.ts';
import { createMetricFamilies, type MetricFamilies } from '../api/http/metrics.ts';
import { type ChainStatusOptions, standstillOf } from '../ingestion/chain-status.ts';
import type { FoldListener } from '../ingestion/fold-listener.ts';
import { ApiError } from '../model/errors.ts';
import { statusOf } from '../model/fraud-review.ts';
import type { RowChange } from '../model/shared-rows.ts';
import type { TriggerEvent } from '../model/trigger.ts';
import type { VenueChange } from '../model/venue-change.ts';
import type { WebhookOptions } from '../service/alerts/open-webhooks.ts';
import type { Service } from '../service/app.ts';
import { listeners } from '../service/fold-listeners.ts';
import { exposeFollowers, type Followers, openFollowers } from '../service/followers.ts';
import { MarketService } from '../service/market-service.ts';
import type { OpenGathering } from '../service/open-gathering.ts';
import {
  exposeReplica,
  type MeasuredControl,
  type MeasuredReplica,
} from '../service/replica-metrics.ts';
import { applyShared } from '../service/shared/control-effects.ts';
import type { ControlWrites } from '../service/shared/control-writes.ts';
import { answersOf, fraudOf } from './answers.ts';
import { CallQueue } from './call-queue.ts';
import { CallsDuringSlots } from './calls-during-slots.ts';
import type { ApiRequest, ServiceMessage } from './messages.ts';
import { type Published, Publisher } from './publisher.ts';
import { SlotFeed } from './slot-feed.ts';
import type { SlotFeedSource } from './slot-feed-source.ts';
import { exposeSlotTraces, type SlotTraces, slotListener } from './slot-traces.ts';
import { StreamFeed } from './stream-feed.ts';
import { WatchedRows } from './watched-rows.ts';

export interface AttachOptions extends ChainStatusOptions, WebhookOptions {
  /**
   * Opens the gatherer of off-chain facts of tokens, if it is enabled. Called once the stored log
   * is applied.
   */
  readonly openGathering?: () => OpenGathering;
  /** Makes a trace of each slot; none if omitted. */
  readonly slotTraces?: SlotTraces;
  /** Exposes how backups are stored, if they are. */
  readonly exposeBackups?: (metrics: MetricFamilies) => void;
  /** Compares the state with those of other replicas; a single process if omitted. */
  readonly replica?: AttachedReplica;
  /**
   * The oldest message of the API that has arrived and was not handled, null for none: reads among
   * them are answered while a slot is applied. If omitted, they wait for its end.
   */
  readonly receive?: () => ApiRequest | null;
  /** Called when a review of another replica was stored and its consequences could not be. */
  readonly onFollowUpFailed?: (error: unknown) => void;
  /** Called when the decoding of a program degrades, and when it recovers. */
  readonly onVenueChange?: (change: VenueChange) => void;
}

/** The part of a replica that the fold drives. */
export interface AttachedReplica extends MeasuredReplica {
  readonly listener: Partial<FoldListener>;
  /** Step of the shared log that is applied while listeners are called; null before the first. */
  readonly step: number | null;
  /** The last step that is applied for certain; null before the first. */
  readonly appliedStep: number | null;
  /** Sends webhooks in agreement with other processes that have copies of them. */
  share(sender: WebhookSender): WebhookSender;
  /** The tables that all replicas have. */
  readonly control: AttachedControl;
}

/** How a replica writes and follows the tables that all replicas have. */
export interface AttachedControl extends ControlWrites {
  /** Stores changes as of the newest slot. Must follow what judges the slot. */
  readonly listener: Partial<FoldListener>;
  readonly status: MeasuredControl;
  /** Changes are stored through `apply` from now on, once with each. */
  follow(apply: (changes: readonly RowChange[], store: () => readonly RowChange[]) => void): void;
}

/**
 * Publishes the current state and all changes to an API through `post`. Returns the handler of the
 * API's messages. A service has one API.
 *
 * While the stored log is still being applied, only reads are answered. Triggers, webhooks and
 * streams begin with the state at its end: what they did before a stop is stored up to there.
 */
export function attachApi(
  service: Service,
  options: AttachOptions,
  post: (message: ServiceMessage) => void,
): (message: ApiRequest) => void {
  const { ingestion, past, store, marketPages } = service;
  const watched = new WatchedRows(HOLDERS_MAX);
  const { replica, slotTraces } = options;
  const publisher = new Publisher(publishedOf(ingestion), watched, (publication) => {
    slotTraces?.spans.published(publication.slot);
    post({ kind: 'publication', publication, position: slotFeed.position });
  });
  const feed = new StreamFeed(ingestion, (event) => post({ kind: 'streamed', event }));
  const slotFeed = new SlotFeed(slotSource(service, replica), (frame) =>
    post({ kind: 'frame', frame }),
  );
  const metrics = createMetricFamilies();
  let followers: Followers | null = null;
  const openPages = () => marketPages.open();
  const market = new MarketService({ state: ingestion, store, openPages });
  const sharing = replica === undefined ? {} : sharingOf(replica);
  const control = replica?.control ?? null;
  if (control !== null) service.rules.share(control);
  const followed = { publisher, market, followers: () => followers };
  const fraud = fraudOf(service, followed, control);
  const answering = { ...followed, watched, metrics, fraud, control };
  const answers = answersOf(service, { ...options, ...sharing }, answering);
  const calls = new CallQueue(answers, post);
  const handle = (message: ApiRequest) => handlers[message.kind](message as never);
  const reads = new CallsDuringSlots({ receive: options.receive ?? nothing, handle, calls });
  exposeRun(metrics, options, reads);
  ingestion.listen(listeners([{ duringSlots: reads }, past, publisher]));
  ingestion.catchUp.onceDone(() => {
    const publish = (events: readonly TriggerEvent[]) => post({ kind: 'triggerEvents', events });
    followers = openFollowers(service, options, { market, publish });
    exposeFollowers(metrics, followers);
    const { triggers, webhooks, drift } = followers;
    const onReview = (id: string) => void fraud.adopt(id).catch(options.onFollowUpFailed);
    control?.follow((...change) => applyShared({ triggers, webhooks, onReview }, ...change));
    ingestion.listen(
      listeners([
        { duringSlots: reads },
        // Triggers compare figures of the market.
        ...[past, market, triggers, webhooks.events, feed, slotFeed, publisher, drift],
        ...otherListeners(followers, options),
      ]),
    );
    // Slots of the stored log were applied without being published.
    slotFeed.onReplaced();
    publisher.onStep();
    void market.begin();
    service.backtests.resume();
  });
  publisher.publish();
  const handlers: Handlers = {
    ...rowHandlers({ watched, publisher, onSeen: () => slotTraces?.spans.seen() }),
    ...feedHandlers({ feed, slotFeed, publisher }, post),
    call: (call) => calls.push(call),
  };
  return (message) => reads.take(message);
}

/** No message has arrived. */
function nothing(): null {
  return null;
}

interface PublishedRows {
  readonly watched: WatchedRows;
  readonly publisher: Publisher;
  /** Called when the API has processed a publication. */
  readonly onSeen: () => void;
}

/** What the API says of publications and the rows that it keeps. */
function rowHandlers({
  watched,
  publisher,
  onSeen,
}: PublishedRows): Pick<Handlers, 'seen' | 'unwatch'> {
  return {
    seen: () => {
      onSeen();
      publisher.seen();
    },
    unwatch: ({ rows }) => {
      for (const row of rows) watched.unwatch(row);
    },
  };
}

interface FollowedFeeds {
  readonly feed: StreamFeed;
  readonly slotFeed: SlotFeed;
  readonly publisher: Publisher;
}

/** What the API says of the feeds that it follows. */
function feedHandlers(
  { feed, slotFeed, publisher }: FollowedFeeds,
  post: (message: ServiceMessage) => void,
): Pick<Handlers, 'streamSeen' | 'wanted' | 'frameSeen' | 'interest'> {
  return {
    streamSeen: () => feed.seen(),
    wanted: ({ streams }) => feed.want(streams),
    frameSeen: () => slotFeed.seen(),
    interest: ({ id, added, removed }) => {
      slotFeed.want(added, removed);
      post({ kind: 'interested', id, isReady: isCurrent(publisher), position: slotFeed.position });
    },
  };
}

/** Listeners that come after those of the market and the streams. */
function otherListeners(
  { gathering, detectors }: Followers,
  { replica, slotTraces }: AttachOptions,
): readonly Partial<FoldListener>[] {
  return [
    ...[detectors.listener, ...(gathering === null ? [] : [gathering.feed])],
    ...(replica === undefined ? [] : [replica.listener, replica.control.listener]),
    ...(slotTraces === undefined ? [] : [slotListener(slotTraces)]),
  ];
}

function exposeCallsDuringSlots(metrics: MetricFamilies, during: CallsDuringSlots): void {
  metrics.exposeCounter({
    name: 'reads_during_slots_total',
    help: 'Reads that were answered while a slot was applied, as of the slot before.',
    read: () => [[{}, during.answered]],
  });
}

function exposeRun(
  metrics: MetricFamilies,
  { replica, slotTraces, exposeBackups }: AttachOptions,
  reads: CallsDuringSlots,
): void {
  exposeReplica(metrics, replica ?? null);
  exposeCallsDuringSlots(metrics, reads);
  if (slotTraces !== undefined) exposeSlotTraces(metrics, slotTraces);
  exposeBackups?.(metrics);
}

/** What is answered of a replica among others. */
function sharingOf(
  replica: AttachedReplica,
): Required<Pick<ChainStatusOptions, 'agreement' | 'gathering'>> {
  return {
    agreement: () => replica.status,
    gathering: () => replica.offchain()?.status ?? null,
  };
}

type Handlers = {
  readonly [Kind in ApiRequest['kind']]: (
    message: Extract<ApiRequest, { readonly kind: Kind }>,
  ) => void;
};

function slotSource(
  { ingestion, store }: Service,
  replica: AttachedReplica | undefined,
): SlotFeedSource {
  return {
    get engine() {
      return ingestion.engine;
    },
    get finalSlot() {
      return ingestion.status.finalSlot;
    },
    get step() {
      return replica?.step ?? null;
    },
    get appliedStep() {
      return replica?.appliedStep ?? null;
    },
    statusOf: ({ id, state }) => statusOf(state, store.reviews.statusOf(id)),
  };
}

/** Publishes all slots that were applied. Returns false while the engine is being replaced. */
function isCurrent(publisher: Publisher): boolean {
  try {
    return publisher.current(() => true);
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function publishedOf(ingestion: Service['ingestion']): Published {
  return {
    get engine() {
      return ingestion.engine;
    },
    get gaps() {
      return ingestion.gaps;
    },
    get storedAhead() {
      return ingestion.catchUp.storedAhead;
    },
    get isRebuilding() {
      return ingestion.isRebuilding;
    },
    get standstill() {
      return standstillOf(ingestion);
    },
  };
}
