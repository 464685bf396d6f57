import type { NatsConnection } from '@nats-io/transport-node';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { SLOT_MAX } from '../model/units.ts';
import type { Vote } from './agreement.ts';
import { HEAD_TEXT_MAX } from './step-head.ts';

/** Where replicas hear each other's votes. A lost vote is one slot that is not compared. */
export interface VoteExchange {
  send(vote: Vote): void;
  /** Receives the votes of others and one's own. */
  listen(listener: (vote: Vote) => void): void;
}

const text = Type.String({ maxLength: HEAD_TEXT_MAX });
const schema = Compile(
  Type.Object({
    replica: text,
    rules: text,
    slot: Type.Integer({ minimum: 0, maximum: SLOT_MAX }),
    blockhash: text,
    lateSeq: Type.Integer({ minimum: 0 }),
    digest: text,
  }),
);

/** Votes over a subject of NATS, which is not stored. */
export class NatsVotes implements VoteExchange {
  private readonly connection: NatsConnection;
  private readonly subject: string;

  constructor(connection: NatsConnection, stream: string) {
    this.connection = connection;
    this.subject = `${stream}-digests`;
  }

  send(vote: Vote): void {
    if (!this.connection.isClosed()) this.connection.publish(this.subject, JSON.stringify(vote));
  }

  listen(listener: (vote: Vote) => void): void {
    this.connection.subscribe(this.subject, {
      callback: (error, message) => {
        const vote = error === null ? voteOf(message.string()) : null;
        if (vote !== null) listener(vote);
      },
    });
  }
}

/** Null for anything that is no vote, which is ignored. */
function voteOf(message: string): Vote | null {
  try {
    const value: unknown = JSON.parse(message);
    return schema.Check(value) ? (value as unknown as Vote) : null;
  } catch {
    return null;
  }
}
