import type { components } from '../generated/messages.ts';

type Schemas = components['schemas'];
type Schema = Schemas[keyof Schemas];
type Sent<T extends Topic> = Extract<Schema, { id: unknown; topic: T; data: unknown }>;
type Wanted<T extends Topic> = Extract<Schema, { op: 'subscribe'; topic: T }>;

/** What a stream can be about. */
export type Topic = Extract<Schema, { op: 'subscribe' }>['topic'];

/** The data of a topic's messages. */
export type TopicData<T extends Topic> = Sent<T>['data'];

export type TopicParams<T extends Topic> = NonNullable<Wanted<T>['params']>;

/** A topic and what it is narrowed to. */
export type Subscription<T extends Topic = Topic> = {
  [K in T]: {
    readonly topic: K;
    readonly params?: TopicParams<K>;
    /** The name of it in the events; its topic if left out. Names must differ. */
    readonly id?: string;
    /** `seq` of the last event that has been handled, to continue after it. */
    readonly since?: number;
  };
}[T];

/** Data that a slot has changed (`message`), or that a fork has taken back (`undo`). */
export type TopicEvent<T extends Topic = Topic> = {
  [K in T]: {
    readonly type: 'message' | 'undo';
    readonly id: string;
    readonly topic: K;
    /** Continues after this event when it is given as `since`. */
    readonly seq: number;
    readonly slot: number;
    readonly data: TopicData<K>;
  };
}[T];

/** A subscription has begun, or continues after a reconnect. Reads from now on are of `slot` or later. */
export interface ReadyEvent {
  readonly type: 'ready';
  readonly id: string;
  readonly seq: number;
  readonly slot: number | null;
  /** Whether it continues after what was received before. */
  readonly isResumed: boolean;
}

/** Messages of a subscription can no longer be had: read the current state again. */
export interface GapEvent {
  readonly type: 'gap';
  readonly id: string;
  readonly fromSeq: number;
  readonly toSeq: number;
}

export type StreamEvent<T extends Topic = Topic> = TopicEvent<T> | ReadyEvent | GapEvent;

export interface StreamSettings {
  readonly signal?: AbortSignal;
  /** Silence after which the service is asked for a sign of life. 15,000 if left out. */
  readonly pingMs?: number;
  /** Silence after which the connection is given up. 40,000 if left out. */
  readonly silenceMs?: number;
  /** Least and longest wait before connecting again. 250 to 10,000 if left out. */
  readonly reconnectMs?: readonly [first: number, most: number];
  /** Events that may wait for the consumer; beyond, they are read again from the service. */
  readonly waitingMax?: number;
  /** Called when the connection was lost; it is opened again unless the stream is aborted. */
  readonly onDisconnect?: (reason: string) => void;
}
