import type { StreamSources, TriggerFile } from '../api/deps.ts';
import { AccountEvents } from '../api/streams/account-events.ts';
import { Topic } from '../api/streams/topic.ts';
import {
  NOTHING_WANTED,
  type StreamedItem,
  type StreamedItems,
  type StreamName,
  type WantedStreams,
} from '../model/streamed.ts';
import type { TriggerEvent } from '../model/trigger.ts';
import type { StreamNews } from './stream-feed.ts';

const KEPT_MS = 3_600_000;
/** About as many bytes, of each stream. */
const WEIGHT_MAX = 64 * 1_048_576;
/** What an item weighs for each pool, token or signal in it. */
const RECORD_BYTES = 1_024;

/** The streams of the API's thread, fed by the other one. */
export class Streams implements StreamSources {
  readonly marketData: Topic<StreamedItems['marketData']>;
  readonly indicators: Topic<StreamedItems['indicators']>;
  readonly signals: Topic<StreamedItems['signals']>;
  readonly newTokens: Topic<StreamedItems['newTokens']>;
  private readonly events: AccountEvents;
  private wanted: WantedStreams = NOTHING_WANTED;

  constructor(
    file: Pick<TriggerFile, 'events'>,
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
    this.events = new AccountEvents(file);
    this.marketData = new Topic(options('marketData'));
    this.indicators = new Topic(options('indicators'));
    this.signals = new Topic(options('signals'));
    this.newTokens = new Topic(options('newTokens'));
  }

  triggers(accountId: string) {
    return this.events.of(accountId);
  }

  /** Readers of each stream. */
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

  take(news: StreamNews): void {
    if (news.item === null) {
      this[news.stream].skip();
      return;
    }
    const weight = recordsOf(news) * RECORD_BYTES;
    if (news.stream === 'marketData') this.marketData.push(news.item, weight);
    else if (news.stream === 'indicators') this.indicators.push(news.item, weight);
    else if (news.stream === 'signals') this.signals.push(news.item, weight);
    else this.newTokens.push(news.item, weight);
  }

  tell(events: readonly TriggerEvent[]): void {
    this.events.push(events);
  }
}

function recordsOf(news: StreamedItem): number {
  if (news.stream === 'marketData') return news.item.pools.length;
  if (news.stream === 'indicators') return news.item.records.length;
  if (news.stream === 'signals') return 1;
  return news.item.created.length + news.item.supplies.length;
}
