import type { StreamSources, TriggerRepository } from '../api/deps.ts';
import { AccountEvents } from '../api/streams/account-events.ts';
import { Topic } from '../api/streams/topic.ts';
import {
  NO_STREAMS_WANTED,
  type StreamedItem,
  type StreamedItems,
  type StreamName,
  type WantedStreams,
} from '../model/streamed.ts';
import type { TriggerEvent } from '../model/trigger.ts';
import type { StreamEvent } from './stream-feed.ts';

const KEPT_MS = 3_600_000;
/** Approximate bytes retained per stream. */
const WEIGHT_MAX = 64 * 1_048_576;
/** Weight of each pool, token or signal in an item. */
const RECORD_BYTES = 1_024;

/** The streams of the API thread, fed by the ingestion thread. */
export class Streams implements StreamSources {
  readonly marketData: Topic<StreamedItems['marketData']>;
  readonly indicators: Topic<StreamedItems['indicators']>;
  readonly signals: Topic<StreamedItems['signals']>;
  readonly newTokens: Topic<StreamedItems['newTokens']>;
  private readonly events: AccountEvents;
  private wanted: WantedStreams = NO_STREAMS_WANTED;

  constructor(
    repository: Pick<TriggerRepository, 'events'>,
    nowMs: () => number,
    onWanted: (wanted: WantedStreams) => void,
  ) {
    const options = (stream: StreamName) => ({
      keptMs: KEPT_MS,
      weightMax: WEIGHT_MAX,
      nowMs,
      onWanted: (isWanted: boolean) => {
        this.wanted = { ...this.wanted, [stream]: isWanted };
        onWanted(this.wanted);
      },
    });
    this.events = new AccountEvents(repository);
    this.marketData = new Topic(options('marketData'));
    this.indicators = new Topic(options('indicators'));
    this.signals = new Topic(options('signals'));
    this.newTokens = new Topic(options('newTokens'));
  }

  triggers(accountId: string) {
    return this.events.of(accountId);
  }

  /** Number of readers by stream. */
  get readers(): Readonly<Record<StreamName | 'triggers', number>> {
    const { marketData, indicators, signals, newTokens, events } = this;
    return {
      triggers: events.readers,
      marketData: marketData.readers,
      indicators: indicators.readers,
      signals: signals.readers,
      newTokens: newTokens.readers,
    };
  }

  take(event: StreamEvent): void {
    if (event.item === null) {
      this[event.stream].skip();
      return;
    }
    const weight = recordsOf(event) * RECORD_BYTES;
    if (event.stream === 'marketData') this.marketData.push(event.item, weight);
    else if (event.stream === 'indicators') this.indicators.push(event.item, weight);
    else if (event.stream === 'signals') this.signals.push(event.item, weight);
    else this.newTokens.push(event.item, weight);
  }

  pushTriggerEvents(events: readonly TriggerEvent[]): void {
    this.events.push(events);
  }
}

function recordsOf(event: StreamedItem): number {
  if (event.stream === 'marketData') return event.item.pools.length;
  if (event.stream === 'indicators') return event.item.records.length;
  if (event.stream === 'signals') return 1;
  return event.item.created.length + event.item.supplies.length;
}
