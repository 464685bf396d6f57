import type { NatsConnection } from '@nats-io/transport-node';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { HEAD_TEXT_MAX } from './step-head.ts';

/**
 * A sign of life of an ingester: it appends, waits to take over, or has just stopped appending of its
 * own accord.
 */
export interface Beat {
  readonly ingester: string;
  readonly state: 'writing' | 'standby' | 'resigned';
}

/** Where ingesters notice each other. Beats may be lost; nothing but delays depends on them. */
export interface Beats {
  send(beat: Beat): void;
  /** Receives the beats of all, including one's own. */
  listen(listener: (beat: Beat) => void): void;
}

const schema = Compile(
  Type.Object({
    ingester: Type.String({ maxLength: HEAD_TEXT_MAX }),
    state: Type.Union([Type.Literal('writing'), Type.Literal('standby'), Type.Literal('resigned')]),
  }),
);

/** Beats within one process. */
export class MemoryBeats implements Beats {
  private readonly listeners: ((beat: Beat) => void)[] = [];

  send(beat: Beat): void {
    for (const listener of this.listeners) listener(beat);
  }

  listen(listener: (beat: Beat) => void): void {
    this.listeners.push(listener);
  }
}

/** Beats over a subject of NATS, which is not stored. */
export class NatsBeats implements Beats {
  private readonly connection: NatsConnection;
  private readonly subject: string;

  constructor(connection: NatsConnection, stream: string) {
    this.connection = connection;
    this.subject = `${stream}-ingesters`;
  }

  send(beat: Beat): void {
    if (!this.connection.isClosed()) this.connection.publish(this.subject, JSON.stringify(beat));
  }

  listen(listener: (beat: Beat) => void): void {
    this.connection.subscribe(this.subject, {
      callback: (error, message) => {
        const beat = error === null ? beatOf(message.string()) : null;
        if (beat !== null) listener(beat);
      },
    });
  }
}

/** Null for anything else, which is ignored. */
function beatOf(text: string): Beat | null {
  try {
    const value: unknown = JSON.parse(text);
    return schema.Check(value) ? (value as Beat) : null;
  } catch {
    return null;
  }
}
