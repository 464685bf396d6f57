import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { monotonicClock } from '../../lib/clock.ts';
import { type Endpoint, parseEndpoints } from './nodes/endpoint.ts';
import { SlotHints } from './slot-hints.ts';

const open: WebSocketServer[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
  }
});

const SUBSCRIBED = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 5 });

function notification(slot: unknown, subscription: unknown = 5): string {
  return JSON.stringify({ method: 'slotNotification', params: { subscription, result: { slot } } });
}

/** Listens for a while to a server that handles each subscriber in this way. */
async function listenTo(onSubscribe: (socket: WebSocket, at: number) => void, ms: number) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  open.push(server);
  const connectedMs: number[] = [];
  server.on('connection', (socket) => {
    connectedMs.push(performance.now());
    const at = connectedMs.length - 1;
    socket.on('message', () => onSubscribe(socket, at));
  });
  await once(server, 'listening');
  const parsed = parseEndpoints(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const [endpoint] = parsed.status === 'ok' ? parsed.endpoints : [];
  if (endpoint === undefined) throw new Error('no endpoint');
  const slots: number[] = [];
  const stopping = new AbortController();
  const hints = new SlotHints(
    { nodes: [{ endpoint }] },
    {
      clock: monotonicClock,
      random: () => 0.5,
      silenceMs: 150,
      backoffMs: 100,
      backoffMaxMs: 400,
      onSlot: (slot) => slots.push(slot),
    },
  );
  setTimeout(() => stopping.abort(), ms);
  await hints.run(stopping.signal);
  const gapsMs = connectedMs.slice(1).map((at, index) => at - (connectedMs[index] ?? 0));
  return { slots, gapsMs, connections: connectedMs.length };
}

describe('slot hints', () => {
  it('are the slots of the own subscription and no other message', async () => {
    const { slots } = await listenTo((socket) => {
      socket.send(notification(1));
      socket.send(SUBSCRIBED);
      for (const text of [
        '<html>',
        '{',
        'null',
        '[]',
        '7',
        notification(2, 6),
        notification('3'),
      ]) {
        socket.send(text);
      }
      socket.send(notification(-4));
      socket.send(notification(10));
      socket.send(notification(11));
    }, 100);
    expect(slots).toEqual([10, 11]);
  });

  it('back off from a server that refuses to subscribe', async () => {
    const refusal = JSON.stringify({ id: 1, error: { code: -32603, message: 'Internal error' } });
    const { gapsMs } = await listenTo((socket) => socket.send(refusal), 1_500);
    // Backoff 100 ms, and half of 200, 400, 400 … on top.
    expect(gapsMs.length).toBeGreaterThanOrEqual(3);
    expect(gapsMs[0]).toBeGreaterThanOrEqual(190);
    for (const ms of gapsMs.slice(1)) expect(ms).toBeGreaterThanOrEqual(290);
  });

  it('replace a connection that is silent, one that dies, and one that never answers', async () => {
    const { slots, connections } = await listenTo((socket, at) => {
      if (at === 0) socket.terminate();
      if (at <= 1) return;
      socket.send(SUBSCRIBED);
      socket.send(notification(at));
    }, 2_200);
    expect(connections).toBeGreaterThanOrEqual(4);
    expect(slots.slice(0, 2)).toEqual([2, 3]);
  });

  it('keep trying an unreachable node, with pauses', async () => {
    const parsed = parseEndpoints('http://127.0.0.1:1/');
    const [endpoint] = parsed.status === 'ok' ? parsed.endpoints : [];
    if (endpoint === undefined) throw new Error('no endpoint');
    const stopping = new AbortController();
    const hints = new SlotHints(
      { nodes: [{ endpoint }] },
      {
        clock: monotonicClock,
        random: () => 1,
        silenceMs: 150,
        backoffMs: 100,
        backoffMaxMs: 100,
        onSlot: () => expect.unreachable(),
      },
    );
    setTimeout(() => stopping.abort(), 700);
    await hints.run(stopping.signal);
    expect(hints.attempts).toBeGreaterThan(1);
    expect(hints.attempts).toBeLessThanOrEqual(4);
  });

  it('come from the next node when one refuses, falls silent or is cut', async () => {
    const tried: string[] = [];
    const endpoints: { endpoint: Endpoint }[] = [];
    for (const name of ['refusing', 'silent', 'speaking']) {
      const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
      open.push(server);
      server.on('connection', (socket) =>
        socket.on('message', () => {
          tried.push(name);
          if (name === 'refusing') socket.send(JSON.stringify({ id: 1, error: { code: -1 } }));
          else socket.send(SUBSCRIBED);
          if (name !== 'speaking') return;
          for (let slot = 1; slot <= 20; slot++) {
            setTimeout(() => socket.send(notification(slot)), slot * 20);
          }
          setTimeout(() => socket.terminate(), 450);
        }),
      );
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const parsed = parseEndpoints(`http://127.0.0.1:${port}/`);
      if (parsed.status === 'ok')
        endpoints.push(...parsed.endpoints.map((endpoint) => ({ endpoint })));
    }
    const slots: number[] = [];
    const stopping = new AbortController();
    const hints = new SlotHints(
      { nodes: endpoints },
      {
        clock: monotonicClock,
        random: () => 0,
        silenceMs: 150,
        backoffMs: 20,
        backoffMaxMs: 40,
        onSlot: (slot) => {
          slots.push(slot);
        },
      },
    );
    const running = hints.run(stopping.signal);
    await vi.waitFor(() => expect(tried.length).toBeGreaterThanOrEqual(4), { timeout: 120_000 });
    stopping.abort();
    await running;
    expect(tried.slice(0, 4)).toEqual(['refusing', 'silent', 'speaking', 'refusing']);
    expect(slots.slice(0, 3)).toEqual([1, 2, 3]);
  });
});
