import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openTracing, type Tracing } from './open-tracing.ts';
import { requestSpans } from './request-spans.ts';
import { SlotSpans } from './slot-spans.ts';

const LIMITS = { waitingMax: 50, batchMax: 20, everyMs: 20, timeoutMs: 300 };

const START_MS = Date.UTC(2026, 0, 1);

function nanosecondsOf(ms: number): string {
  return String(BigInt(ms) * 1_000_000n);
}

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

type Behaviour = 'accepts' | 'hangs' | 'fails';

/** A collector that records the spans it is sent. */
async function collector(behaviour: Behaviour) {
  const spans: SentSpan[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      requests.push(request.url ?? '');
      if (behaviour === 'hangs') return;
      if (behaviour === 'fails') {
        response.writeHead(500).end();
        return;
      }
      const body = JSON.parse(text);
      for (const resource of body.resourceSpans) {
        for (const scope of resource.scopeSpans) spans.push(...scope.spans);
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { spans, requests, endpoint, close };
}

const opened: (() => void)[] = [];

async function tracingOf(behaviour: Behaviour) {
  const target = await collector(behaviour);
  const tracing = await openTracing({
    endpoint: target.endpoint,
    version: '1.2.3',
    limits: LIMITS,
  });
  opened.push(() => target.close());
  return { ...target, tracing };
}

afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** Follows one slot through all stages, ten milliseconds each. */
function follow(tracing: Tracing, slot = 7): void {
  let nowMs = START_MS;
  const spans = new SlotSpans(tracing.tracer, () => {
    nowMs += 10;
    return nowMs;
  });
  spans.decoded(slot, 3);
  spans.applied(slot);
  spans.published(slot);
  spans.seen();
  spans.stored(slot);
}

describe('spans', () => {
  test('of a slot are one trace with the times of its stages', async () => {
    const { tracing, spans, requests } = await tracingOf('accepts');
    follow(tracing);
    await tracing.close();
    const root = spans.find(({ name }) => name === 'slot');
    const durations = spans.map(({ name, startTimeUnixNano, endTimeUnixNano }) => [
      name,
      Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
    ]);
    // Received and decoded at once: the source was not watched.
    expect(Object.fromEntries(durations)).toEqual({
      decode: 0,
      apply: 10,
      publish: 10,
      store: 20,
      slot: 30,
    });
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const parts = spans.filter(({ name }) => name !== 'slot');
    expect(parts.map(({ parentSpanId }) => parentSpanId)).toEqual(parts.map(() => root?.spanId));
    expect(root?.attributes).toContainEqual({ key: 'solana.slot', value: { intValue: 7 } });
    expect(requests).toEqual(['/v1/traces']);
    expect(tracing.counts).toEqual({ exported: 5, dropped: 0, failed: 0 });
  });

  test('of a slot say once how long it took until clients saw it, with its trace', async () => {
    const { tracing, spans } = await tracingOf('accepts');
    let nowMs = START_MS;
    const slots = new SlotSpans(tracing.tracer, () => nowMs);
    const visible: (readonly [seconds: number, traceId: string])[] = [];
    slots.onVisible = (...seen) => visible.push(seen);
    for await (const slot of slots.watch(asyncItems([5]))) {
      nowMs += 250;
      slots.decoded(slot, 0);
      slots.applied(slot);
      slots.published(slot);
      nowMs += 500;
      slots.seen();
      slots.seen();
      slots.stored(slot);
    }
    await tracing.close();
    const root = spans.find(({ name }) => name === 'slot');
    expect(visible).toEqual([[0.75, root?.traceId]]);
  });

  test('of a slot begin when the source yields it', async () => {
    const { tracing, spans } = await tracingOf('accepts');
    let nowMs = START_MS;
    const slots = new SlotSpans(tracing.tracer, () => nowMs);
    for await (const slot of slots.watch(asyncItems([5]))) {
      nowMs += 4;
      slots.decoded(slot, 0);
      slots.reverted(slot);
    }
    await tracing.close();
    const decode = spans.find(({ name }) => name === 'decode');
    expect([decode?.startTimeUnixNano, decode?.endTimeUnixNano]).toEqual([
      nanosecondsOf(START_MS),
      nanosecondsOf(START_MS + 4),
    ]);
    const root = spans.find(({ name }) => name === 'slot');
    expect(root?.attributes).toContainEqual({
      key: 'mintscope.reverted',
      value: { boolValue: true },
    });
  });

  test('of a request have its route and status, and no URL', async () => {
    const { tracing, spans } = await tracingOf('accepts');
    requestSpans(tracing.tracer, () => START_MS)('GET', '/v1/token/:token_address', 503, 0.25);
    await tracing.close();
    expect(spans).toMatchObject([
      {
        name: 'GET /v1/token/:token_address',
        kind: 2,
        startTimeUnixNano: nanosecondsOf(START_MS - 250),
        endTimeUnixNano: nanosecondsOf(START_MS),
        status: { code: 2 },
      },
    ]);
  });

  test('that a collector refuses are counted and not sent again', async () => {
    const { tracing, requests } = await tracingOf('fails');
    follow(tracing);
    await vi.waitFor(() => expect(tracing.counts.failed).toBe(5), 5_000);
    const sent = requests.length;
    await new Promise((wake) => setTimeout(wake, 5 * LIMITS.everyMs));
    expect(requests.length).toBe(sent);
    await tracing.close();
  });

  test('for a collector that hangs are bounded, and cost the caller nothing', async () => {
    const { tracing, requests } = await tracingOf('hangs');
    const before = process.cpuUsage();
    for (let slot = 0; slot < 1_000; slot++) follow(tracing, slot);
    await vi.waitFor(() => expect(requests.length).toBe(1), 5_000);
    const { user } = process.cpuUsage(before);
    // 5,000 spans: more than a millisecond each would be felt.
    expect(user / 1_000).toBeLessThan(5_000);
    expect(tracing.counts.dropped).toBeGreaterThanOrEqual(
      5_000 - LIMITS.waitingMax - LIMITS.batchMax,
    );
    await vi.waitFor(() => expect(tracing.counts.failed).toBeGreaterThan(0), 5_000);
    const startedMs = performance.now();
    await tracing.close();
    expect(performance.now() - startedMs).toBeLessThan(10 * LIMITS.timeoutMs);
    const { exported, dropped, failed } = tracing.counts;
    expect([exported, dropped + failed]).toEqual([0, 5_000]);
  });
});

async function* asyncItems<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
