import type { NatsConnection } from '@nats-io/transport-node';

/** Where processes that hold copies of the same webhooks say what they have delivered. */
export interface Deliveries {
  announce(id: string): void;
  listen(listener: (id: string) => void): void;
}

const ID_MAX = 2_100;

/** Over a subject of NATS, which is not stored. */
export class NatsDeliveries implements Deliveries {
  private readonly connection: NatsConnection;
  private readonly subject: string;

  constructor(connection: NatsConnection, stream: string, key: string) {
    this.connection = connection;
    this.subject = `${stream}-delivered.${key}`;
  }

  announce(id: string): void {
    if (!this.connection.isClosed()) this.connection.publish(this.subject, id);
  }

  listen(listener: (id: string) => void): void {
    this.connection.subscribe(this.subject, {
      callback: (error, message) => {
        if (error === null && message.data.length <= ID_MAX) listener(message.string());
      },
    });
  }
}
