import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { expect, vi } from 'vitest';
import type { SlotItem, StreamTopic } from '../../src/model/slot-frame.ts';
import { asSlot } from '../../src/model/units.ts';
import { fakeApiDeps, READ_KEY, SLOT_TIME_MS } from './fake-api-deps.ts';
import { fakeApiServer } from './fake-api-server.ts';
import { StreamReader } from './stream-reader.ts';

/** A server whose filtered stream is given items; it is added to `servers`, which the test closes. */
export async function servingTopics(servers: FastifyInstance[]) {
  const deps = fakeApiDeps();
  const server = fakeApiServer(deps);
  servers.push(server);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const take = (slot: number, items: readonly SlotItem[], isUndone = false) =>
    deps.hub.take({
      ...{ slot: asSlot(slot), timeMs: SLOT_TIME_MS, solUsd: null, finalSlot: null, isUndone },
      items,
    });
  return { host: `127.0.0.1:${port}`, take };
}

/** A reader of the filtered stream with a key of one account, and what it has of one topic. */
export async function connectTo(host: string, topic: StreamTopic, key = READ_KEY) {
  const reader = await StreamReader.open(`ws://${host}/v1/stream`, key);
  await reader.until(1);
  const ask = async (operation: object) => {
    const count = reader.messages.length;
    reader.socket.send(JSON.stringify(operation));
    return (await reader.until(count + 1))[count];
  };
  /** Numbers of the items received so far; a minus stands before one that was taken back. */
  const received = async () => {
    reader.socket.send(JSON.stringify({ op: 'ping', id: 'end' }));
    await vi.waitFor(() => expect(reader.messages.at(-1)).toMatchObject({ op: 'pong' }));
    return reader.messages
      .filter((message) => message.topic === topic)
      .map(({ data, undo }) => {
        const { row_id: number } = data as { readonly row_id: number };
        return undo === true ? -number : number;
      });
  };
  return { reader, ask, received };
}
