import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

/** Stands for the browser's WebSocket; the test is its server. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  isClosed = false;
  readonly sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.isClosed = true;
    this.readyState = 3;
  }

  accept(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  drop(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

const latest = (): FakeSocket => {
  const socket = FakeSocket.all.at(-1);
  if (socket === undefined) throw new Error('no socket was opened');
  return socket;
};

const subscriptionsOf = ({ sent }: FakeSocket) => sent.filter(({ op }) => op === 'subscribe');

async function openPage() {
  vi.resetModules();
  const { session, setRenewal } = await import('./session-state.ts');
  const stream = await import('./stream.ts');
  session.value = 'open';
  return { session, setRenewal, ...stream };
}

function follow(subscribe: Awaited<ReturnType<typeof openPage>>['subscribe']) {
  const seen: unknown[] = [];
  const end = subscribe<{ readonly n: number }>(
    'trades',
    { token_address: 'cat' },
    {
      onItem: ({ n }, slot) => seen.push(['item', n, slot]),
      onUndo: (data, slot) => seen.push(['undo', data?.n ?? null, slot]),
      onGap: () => seen.push('gap'),
      onReady: (slot) => seen.push(['ready', slot]),
      onRefused: (message) => seen.push(['refused', message]),
    },
  );
  return { seen, end };
}

/** Statuses of `/v1/key`, which a refused connection asks for. */
let keyStatus = 200;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  FakeSocket.all = [];
  keyStatus = 200;
  const target = new EventTarget();
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'service:8080' });
  vi.stubGlobal('document', page);
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('dispatchEvent', target.dispatchEvent.bind(target));
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response('{"message":"No."}', { status: keyStatus })),
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('the stream of the page', () => {
  test('delivers items and what forks take back, and says when a subscription is ready', async () => {
    const { subscribe, connection, streamSlot } = await openPage();
    const { seen } = follow(subscribe);
    latest().accept();
    expect(latest().url).toBe('ws://service:8080/v1/stream');
    expect(subscriptionsOf(latest())).toEqual([
      { op: 'subscribe', id: 's1', topic: 'trades', params: { token_address: 'cat' } },
    ]);
    latest().say({ op: 'ack', id: 's1', seq: 10, slot: 5 });
    latest().say({ id: 's1', seq: 11, slot: 6, data: { n: 1 } });
    latest().say({ id: 's1', seq: 12, slot: 6, data: { n: 1 }, undo: true });
    latest().say({ id: 's1', seq: 13, slot: 7, data: null, undo: true });
    expect(seen).toEqual([
      ['ready', 5],
      ['item', 1, 6],
      ['undo', 1, 6],
      ['undo', null, 7],
    ]);
    expect(connection.value).toBe('live');
    expect(streamSlot.value).toBe(7);
  });

  test('resumes each subscription after the last message that it received', async () => {
    const { subscribe, connection } = await openPage();
    const { seen } = follow(subscribe);
    latest().accept();
    latest().say({ op: 'ack', id: 's1', seq: 10, slot: 5 });
    latest().say({ id: 's1', seq: 11, slot: 6, data: { n: 1 } });
    latest().drop();
    expect(connection.value).toBe('reconnecting');
    await vi.advanceTimersByTimeAsync(600);
    expect(FakeSocket.all).toHaveLength(2);
    latest().accept();
    expect(subscriptionsOf(latest())).toEqual([expect.objectContaining({ id: 's1', since: 11 })]);
    latest().say({ op: 'ack', id: 's1', seq: 30, slot: 9 });
    latest().say({ id: 's1', seq: 12, slot: 7, data: { n: 2 } });
    latest().drop();
    await vi.advanceTimersByTimeAsync(2_000);
    latest().accept();
    expect(subscriptionsOf(latest())).toEqual([expect.objectContaining({ id: 's1', since: 12 })]);
    expect(seen.filter((one) => Array.isArray(one) && one[0] === 'ready')).toHaveLength(1);
  });

  test('reports a gap to those that it concerns, with the time that was missed', async () => {
    const { subscribe, missed } = await openPage();
    const one = follow(subscribe);
    const other = follow(subscribe);
    latest().accept();
    latest().say({ op: 'ack', id: 's1', seq: 10, slot: 5 });
    latest().say({ op: 'ack', id: 's2', seq: 10, slot: 5 });
    const lostMs = Date.now();
    await vi.advanceTimersByTimeAsync(4_000);
    latest().drop();
    await vi.advanceTimersByTimeAsync(600);
    latest().accept();
    latest().say({ op: 'gap', id: 's1', from_seq: 11, to_seq: 40, seq: 40 });
    expect(one.seen).toEqual([['ready', 5], 'gap']);
    expect(other.seen).toEqual([['ready', 5]]);
    expect(missed.value).toEqual({ fromMs: lostMs, toMs: Date.now() });
    latest().say({ op: 'gap', id: null, from_seq: 11, to_seq: 50, seq: 50 });
    expect(other.seen).toEqual([['ready', 5], 'gap']);
    latest().drop();
    await vi.advanceTimersByTimeAsync(2_000);
    latest().accept();
    expect(subscriptionsOf(latest()).map(({ since }) => since)).toEqual([50, 50]);
  });

  test.each([0, 0.5, 0.999])(
    'reconnects with growing pauses, also while connections end at once (chance %d)',
    async (chance) => {
      vi.spyOn(Math, 'random').mockReturnValue(chance);
      const { subscribe, connection } = await openPage();
      follow(subscribe);
      const pausesMs: number[] = [];
      for (let attempt = 0; attempt < 7; attempt++) {
        const before = Date.now();
        latest().accept();
        latest().drop();
        const count = FakeSocket.all.length;
        while (FakeSocket.all.length === count) await vi.advanceTimersByTimeAsync(10);
        pausesMs.push(Date.now() - before);
      }
      const share = 0.5 + chance / 2;
      const wholeMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000];
      expect(connection.value).toBe('stale');
      for (const [index, pauseMs] of pausesMs.entries()) {
        const expectedMs = (wholeMs[index] ?? 0) * share;
        expect(pauseMs).toBeGreaterThanOrEqual(Math.floor(expectedMs));
        expect(pauseMs).toBeLessThan(expectedMs + 11);
      }
      latest().accept();
      await vi.advanceTimersByTimeAsync(6_000);
      latest().say({ op: 'pong' });
      latest().drop();
      await vi.advanceTimersByTimeAsync(550);
      expect(FakeSocket.all).toHaveLength(9);
    },
  );

  test('does not wait for the rest of a pause when the network or the reader is back', async () => {
    const { subscribe } = await openPage();
    follow(subscribe);
    for (let attempt = 0; attempt < 6; attempt++) {
      latest().drop();
      await vi.advanceTimersByTimeAsync(15_000);
    }
    const count = FakeSocket.all.length;
    latest().drop();
    await vi.advanceTimersByTimeAsync(100);
    expect(FakeSocket.all).toHaveLength(count);
    dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(count + 1);
    latest().drop();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(FakeSocket.all).toHaveLength(count + 2);
  });

  test('opens another connection when one is silent, and sooner after the machine has slept', async () => {
    const { subscribe } = await openPage();
    follow(subscribe);
    latest().accept();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(latest().sent.at(-1)).toEqual({ op: 'ping' });
    latest().say({ op: 'pong' });
    await vi.advanceTimersByTimeAsync(10_000);
    latest().say({ op: 'pong' });
    // The machine sleeps for ten minutes: no timer fires meanwhile.
    vi.setSystemTime(Date.now() + 600_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(FakeSocket.all).toHaveLength(1);
    const [first] = FakeSocket.all;
    await vi.advanceTimersByTimeAsync(3_100);
    expect(FakeSocket.all).toHaveLength(2);
    expect(first?.isClosed).toBe(true);
    latest().accept();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(FakeSocket.all.length).toBeGreaterThan(2);
  });

  test('keeps a connection that answers, although timers of a page out of sight are late', async () => {
    const { subscribe } = await openPage();
    follow(subscribe);
    latest().accept();
    await vi.advanceTimersByTimeAsync(10_000);
    for (let minute = 0; minute < 5; minute++) {
      latest().say({ op: 'pong' });
      vi.setSystemTime(Date.now() + 50_000);
      await vi.advanceTimersByTimeAsync(10_000);
    }
    latest().say({ op: 'pong' });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  test('ends what is refused, and repeats what is refused for now', async () => {
    const { subscribe } = await openPage();
    const { seen } = follow(subscribe);
    latest().accept();
    latest().say({ op: 'error', id: 's1', code: 503, message: 'The state is computed again.' });
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(subscriptionsOf(latest())).toHaveLength(2);
    latest().say({ op: 'error', id: 's1', code: 409, message: 'This id is in use.' });
    latest().say({ op: 'ack', id: 's1', seq: 10, slot: 5 });
    latest().say({ op: 'error', id: 's1', code: 422, message: 'No such token.' });
    expect(seen).toEqual([
      ['ready', 5],
      ['refused', 'No such token.'],
    ]);
    latest().say({ id: 's1', seq: 11, slot: 6, data: { n: 1 } });
    expect(seen).toHaveLength(2);
  });

  test('begins another session after a restart ended it, and resumes', async () => {
    const { subscribe, setRenewal, session, connection } = await openPage();
    follow(subscribe);
    latest().accept();
    latest().say({ op: 'ack', id: 's1', seq: 10, slot: 5 });
    latest().drop();
    setRenewal(() => {
      keyStatus = 200;
      return Promise.resolve(true);
    });
    keyStatus = 401;
    await vi.advanceTimersByTimeAsync(600);
    latest().drop();
    await vi.advanceTimersByTimeAsync(10);
    expect(session.value).toBe('open');
    latest().accept();
    expect(FakeSocket.all).toHaveLength(3);
    expect(subscriptionsOf(latest())).toEqual([expect.objectContaining({ since: 10 })]);
    expect(connection.value).toBe('live');
  });

  test('asks for a key when the session cannot be renewed, and closes its connection then', async () => {
    const { subscribe, session, connection } = await openPage();
    follow(subscribe);
    latest().accept();
    latest().drop();
    keyStatus = 401;
    await vi.advanceTimersByTimeAsync(600);
    latest().drop();
    await vi.advanceTimersByTimeAsync(10);
    expect(session.value).toBe('needs key');
    expect(connection.value).toBe('stale');
    const count = FakeSocket.all.length;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(FakeSocket.all).toHaveLength(count);
    session.value = 'open';
    expect(FakeSocket.all).toHaveLength(count + 1);
    latest().accept();
    session.value = 'needs key';
    expect(latest().isClosed).toBe(true);
  });

  test('shows the slot of the service after it began again from the start', async () => {
    const { subscribe, streamSlot } = await openPage();
    follow(subscribe);
    latest().accept();
    latest().say({ id: 's1', seq: 11, slot: 900, data: { n: 1 } });
    latest().drop();
    await vi.advanceTimersByTimeAsync(600);
    latest().accept();
    latest().say({ id: 's1', seq: 99, slot: 3, data: { n: 1 } });
    expect(streamSlot.value).toBe(3);
  });

  test('sends nothing for a subscription that ended', async () => {
    const { subscribe } = await openPage();
    const { end, seen } = follow(subscribe);
    follow(subscribe);
    latest().accept();
    end();
    expect(latest().sent.at(-1)).toEqual({ op: 'unsubscribe', id: 's1' });
    latest().say({ id: 's1', seq: 11, slot: 6, data: { n: 1 } });
    expect(seen).toEqual([]);
    latest().drop();
    await vi.advanceTimersByTimeAsync(600);
    latest().accept();
    expect(subscriptionsOf(latest()).map(({ id }) => id)).toEqual(['s2']);
  });
});
