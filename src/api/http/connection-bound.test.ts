import { connect, createServer, Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ConnectionBound, type ConnectionLimits } from './connection-bound.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server with at most `max` connections, and its ends of them in the order of opening. */
async function serve(max: number, shares: Partial<ConnectionLimits> = {}) {
  const all = { perAccountMax: max, unadmittedPerNetworkMax: max };
  const bound = new ConnectionBound({ max, ...all, ...shares });
  const ends: Socket[] = [];
  let opened: () => void = () => undefined;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    ends.push(socket);
    bound.open(socket);
    opened();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as { port: number };
  const dial = async () => {
    const isOpen = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    closing.push(() => client.destroy());
    await isOpen;
    return client;
  };
  return { bound, ends, dial };
}

function socketFrom(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
}

const closed = (client: Socket) =>
  new Promise<void>((resolve) => {
    if (client.closed) resolve();
    else client.once('close', () => resolve());
    client.resume();
  });

describe('connections beyond the bound', () => {
  test('close the oldest unadmitted connection, never an admitted one', async () => {
    const { bound, ends, dial } = await serve(2);
    const admitted = await dial();
    bound.admit(ends[0] as Socket, 'a');
    const first = await dial();
    const second = await dial();
    await closed(first);
    expect([admitted.destroyed, second.destroyed]).toEqual([false, false]);
    expect([bound.size, bound.refused]).toEqual([2, 1]);
  });

  test('are closed themselves if all others are admitted', async () => {
    const { bound, ends, dial } = await serve(2);
    await dial();
    await dial();
    for (const socket of ends) bound.admit(socket, 'a');
    const third = await dial();
    await closed(third);
    expect([bound.size, bound.refused]).toEqual([2, 1]);
  });

  test('have capacity again once others have ended', async () => {
    const { bound, ends, dial } = await serve(1);
    const first = await dial();
    first.destroy();
    await closed(ends[0] as Socket);
    const second = await dial();
    expect([bound.size, bound.refused, second.destroyed]).toEqual([1, 0, false]);
  });

  test('never exceed the bound, even with a hundred unauthenticated clients', async () => {
    const { bound, dial } = await serve(8);
    for (let count = 0; count < 100; count++) {
      await dial();
      expect(bound.size).toBeLessThanOrEqual(8);
    }
    expect(bound.refused).toBe(92);
  });

  test('of one account are protected up to its share; the oldest of its others is closed first', async () => {
    const { bound, ends, dial } = await serve(3, { perAccountMax: 1 });
    const clients = [await dial(), await dial(), await dial()];
    for (const socket of ends) bound.admit(socket, 'greedy');
    const other = await dial();
    expect(ends.map(({ destroyed }) => destroyed)).toEqual([false, true, false, false]);
    await closed(clients[1] as Socket);
    expect(clients.map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
    bound.admit(ends[3] as Socket, 'other');
    expect([bound.isAdmitted(ends[3] as Socket), other.destroyed]).toEqual([true, false]);
  });

  test('of one address without admission are bounded below the total', async () => {
    const { bound, dial } = await serve(4, { unadmittedPerNetworkMax: 2 });
    const first = await dial();
    await dial();
    await dial();
    expect([bound.size, bound.refused]).toEqual([2, 1]);
    await closed(first);
  });

  test('of an account are protected again once others of it have ended', () => {
    const bound = new ConnectionBound({ max: 3, perAccountMax: 1 });
    for (let count = 0; count < 3; count++) {
      const socket = new Socket();
      bound.open(socket);
      bound.admit(socket, 'a');
      expect(bound.isAdmitted(socket)).toBe(true);
      socket.emit('close');
    }
    expect(bound.size).toBe(0);
  });

  test('are limited to half of the total per account and per address by default', () => {
    const bound = new ConnectionBound(4);
    const sockets = Array.from({ length: 4 }, () => new Socket());
    for (const socket of sockets) {
      bound.open(socket);
      bound.admit(socket, 'a');
    }
    expect(sockets.map((socket) => bound.isAdmitted(socket))).toEqual([true, true, false, false]);
    expect(bound.refused).toBe(0);
    bound.open(new Socket());
    expect([bound.size, bound.refused, sockets[2]?.destroyed]).toEqual([4, 1, true]);
  });

  test('of one /64 of IPv6 count together', () => {
    const bound = new ConnectionBound({ max: 9, unadmittedPerNetworkMax: 2 });
    for (const host of ['1', '2', '3', 'beef']) {
      bound.open(socketFrom(`2001:db8:1:2::${host}`));
      bound.open(socketFrom(`2001:db8:1:3${host}::1`));
    }
    expect([bound.size, bound.refused]).toEqual([6, 2]);
  });

  test('no longer count for their address once they are admitted by a key', () => {
    const bound = new ConnectionBound({ max: 9, unadmittedPerNetworkMax: 1 });
    for (let count = 0; count < 4; count++) {
      const socket = new Socket();
      bound.open(socket);
      bound.admit(socket, 'a');
    }
    expect([bound.size, bound.refused]).toEqual([4, 0]);
  });
});
