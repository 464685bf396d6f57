import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { recordedChain, TransferMarket } from '../../../tests/support/transfer-market.ts';
import { CALM, type FaultSettings } from './fault-settings.ts';
import { Faults } from './faults.ts';
import { type NodeLimits, SimulatedNode } from './simulated-node.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function startNode(
  faults: Partial<FaultSettings> = {},
  limits: Partial<NodeLimits> = {},
  market: ConstructorParameters<typeof TransferMarket>[0] = {},
) {
  const chain = new TransferMarket({ skipRate: 0, ...market });
  const { steps, simulation } = recordedChain(chain);
  const node = new SimulatedNode({
    simulation,
    genesisHash: 'x',
    faults: new Faults({ ...CALM, ...faults }),
    limits,
  });
  closing.push(() => node.close());
  const port = await node.listen(0);
  return { node, port, steps, chain };
}

/** A client that keeps all messages. */
class Client {
  readonly messages: string[] = [];
  readonly pings: number[] = [];
  isClosed = false;
  readonly socket: WebSocket;
  private readonly waiting: (() => void)[] = [];

  constructor(port: number) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    const wake = () => {
      for (const resolve of this.waiting.splice(0)) resolve();
    };
    this.socket.on('message', (data) => {
      this.messages.push(String(data));
      wake();
    });
    this.socket.on('ping', () => {
      this.pings.push(1);
      wake();
    });
    this.socket.on('close', () => {
      this.isClosed = true;
      wake();
    });
    this.socket.on('open', wake);
    this.socket.on('error', wake);
    closing.push(() => this.socket.terminate());
  }

  /** Waits for events of the socket until the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  async ask(method: string, ...params: unknown[]): Promise<Told> {
    await this.until(() => this.socket.readyState === WebSocket.OPEN);
    const known = this.messages.length;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    await this.until(() => this.messages.length > known);
    return JSON.parse(this.messages[known] ?? '') as Told;
  }

  get notifications(): Told[] {
    return this.messages.map((text) => JSON.parse(text) as Told).filter(({ method }) => method);
  }
}

interface Told {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly method?: string;
  readonly params?: { readonly result: unknown; readonly subscription: number };
}

describe('subscriptions', () => {
  it('send confirmed blocks of the canonical chain once each and in order, never dropped ones', async () => {
    const { node, port, steps } = await startNode({}, {}, { forkRate: 0.3 });
    const client = new Client(port);
    const config = {
      commitment: 'confirmed',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    };
    await client.ask('blockSubscribe', 'all', config);
    const start = steps.at(-1)?.block.slot ?? 0;
    for (let slots = 0; slots < 40; slots++) node.advance();
    const head = steps.at(-1)?.block.slot ?? 0;
    const expected = steps
      .filter(({ block: { slot }, isCanonical }) => isCanonical && slot >= start && slot < head)
      .map(({ block: { slot, blockhash } }) => [slot, blockhash]);
    expect(steps.some(({ isCanonical }) => !isCanonical)).toBe(true);
    await client.until(() => client.notifications.length >= expected.length);
    const got = client.notifications.map(({ params }) => {
      const result = params?.result as { value: { slot: number; block: { blockhash: string } } };
      return [result.value.slot, result.value.block.blockhash];
    });
    expect(got).toEqual(expected);
  });

  it('show dropped branches to slot subscribers, with the parent of each', async () => {
    const { node, port, steps } = await startNode({}, {}, { forkRate: 0.3 });
    const client = new Client(port);
    await client.ask('slotSubscribe');
    const known = steps.length;
    for (let slots = 0; slots < 30; slots++) node.advance();
    await client.until(() => client.notifications.length >= 30);
    expect(
      client.notifications.map(({ params }) => {
        const result = params?.result as { slot: number; parent: number };
        return [result.slot, result.parent];
      }),
    ).toEqual(steps.slice(known).map(({ block }) => [block.slot, block.parentSlot]));
  });

  it('send only transactions that mention the address, and blocks that contain one', async () => {
    const { node, port, steps, chain } = await startNode();
    const [, wallet] = chain.wallets;
    const client = new Client(port);
    await client.ask(
      'blockSubscribe',
      { mentionsAccountOrProgram: wallet },
      { commitment: 'confirmed', transactionDetails: 'signatures' },
    );
    const first = steps.length - 1;
    for (let slots = 0; slots < 25; slots++) node.advance();
    const expected = steps
      .slice(first, -1)
      .map(({ block }) =>
        block.transactions
          .filter(({ staticKeys, loadedWritable, loadedReadonly }) =>
            [...staticKeys, ...loadedWritable, ...loadedReadonly].some((key) => key === wallet),
          )
          .map(({ signatures }) => signatures[0]),
      )
      .filter((signatures) => signatures.length > 0);
    await client.until(() => client.notifications.length >= expected.length);
    const got = client.notifications.map(({ params }) => {
      const result = params?.result as { value: { block: { signatures: string[] } } };
      return result.value.block.signatures;
    });
    expect(got).toEqual(expected);
  });

  it('report an unsupported version instead of the block', async () => {
    const { node, port } = await startNode({}, {}, { tableShare: 1 });
    const client = new Client(port);
    for (let slots = 0; slots < 3; slots++) node.advance();
    await client.ask('blockSubscribe', 'all', { commitment: 'confirmed' });
    node.advance();
    await client.until(() => client.notifications.length === 1);
    expect(client.notifications[0]?.params?.result).toMatchObject({
      value: { block: null, err: { UnsupportedTransactionVersion: 0 } },
    });
  });

  it('end with unsubscribe, once, and only by the method of the same kind', async () => {
    const { node, port } = await startNode();
    const client = new Client(port);
    const { result: id } = await client.ask('slotSubscribe');
    expect((await client.ask('rootUnsubscribe', id)).error?.message).toBe(
      'Invalid subscription id.',
    );
    expect((await client.ask('slotUnsubscribe', id)).result).toBe(true);
    expect((await client.ask('slotUnsubscribe', id)).error?.code).toBe(-32602);
    node.advance();
    await client.ask('slotSubscribe');
    expect(client.notifications).toEqual([]);
  });

  it.each([
    ['blockSubscribe', ['all', { commitment: 'processed' }], -32602],
    ['blockSubscribe', [], -32602],
    ['logsSubscribe', [{ mentions: [] }], -32602],
    ['logsSubscribe', ['some'], -32602],
    ['voteSubscribe', [], -32601],
    ['getSlot', [], -32601],
  ])('are refused for %s with %j', async (method, params, code) => {
    const { port } = await startNode();
    expect((await new Client(port).ask(method, ...params)).error?.code).toBe(code);
  });

  it('are limited per client, and so are clients', async () => {
    const { port, node } = await startNode({}, { subscriptions: 2, clients: 1 });
    const client = new Client(port);
    await client.ask('slotSubscribe');
    await client.ask('rootSubscribe');
    expect((await client.ask('slotSubscribe')).error?.message).toMatch(/limit reached/);
    const refused = new Client(port);
    await refused.until(() => refused.isClosed);
    expect(node.socketClients).toBe(1);
  });

  it('include pings to clients and answers to theirs', async () => {
    const { port } = await startNode({}, { pingIntervalMs: 5 });
    const client = new Client(port);
    await client.until(() => client.pings.length >= 2);
    let pongs = 0;
    client.socket.on('pong', () => pongs++);
    client.socket.ping();
    await client.until(() => pongs > 0);
  });

  it('disconnect a client that does not read once its buffer is full, and serve the others', async () => {
    const { node, port } = await startNode({}, { bufferBytes: 300_000 }, { transfersPerSlot: 60 });
    const slow = new Client(port);
    const quick = new Client(port);
    await slow.ask('blockSubscribe', 'all', { commitment: 'confirmed', ...VERSIONED });
    await quick.ask('slotSubscribe');
    slow.socket.pause();
    let slots = 0;
    while (node.socketClients === 2 && slots < 2_000) {
      node.advance();
      slots++;
      await new Promise(setImmediate);
    }
    expect(node.socketClients).toBe(1);
    await quick.until(() => quick.notifications.length >= slots);
    expect(quick.notifications.length).toBe(slots);
  });

  it('close a connection with a message that is too long', async () => {
    const { port, node } = await startNode({}, { messageBytes: 1_000 });
    const client = new Client(port);
    await client.ask('slotSubscribe');
    client.socket.send('x'.repeat(2_000));
    await client.until(() => client.isClosed);
    expect(node.socketClients).toBe(0);
  });
});

const VERSIONED = { maxSupportedTransactionVersion: 0, encoding: 'json' };

describe('faults of subscriptions', () => {
  /** The notifications to a client that subscribes to slots, over 30 slots. */
  async function watched(
    faults: Partial<FaultSettings>,
  ): Promise<{ texts: string[]; slots: number[] }> {
    const { node, port, steps } = await startNode(faults);
    const client = new Client(port);
    await client.ask('slotSubscribe');
    const known = steps.length;
    for (let slots = 0; slots < 30; slots++) node.advance();
    // A ping uses the same connection: once its pong arrives, everything before it has arrived.
    let pongs = 0;
    client.socket.on('pong', () => pongs++);
    client.socket.ping();
    while (pongs === 0) await new Promise(setImmediate);
    return {
      texts: client.messages.slice(1),
      slots: steps.slice(known).map(({ block }) => block.slot),
    };
  }

  const slotIn = (text: string) =>
    (JSON.parse(text) as { params: { result: { slot: number } } }).params.result.slot;

  it('duplicate all at rate 1, and at a lower rate the same ones for the same seed', async () => {
    const all = await watched({ notificationDuplicate: 1 });
    expect(all.texts.map(slotIn)).toEqual(all.slots.flatMap((slot) => [slot, slot]));
    const first = await watched({ notificationDuplicate: 0.3, seed: 'a' });
    const again = await watched({ notificationDuplicate: 0.3, seed: 'a' });
    const other = await watched({ notificationDuplicate: 0.3, seed: 'b' });
    expect(first.texts.length).toBeGreaterThan(30);
    expect(first.texts.length).toBeLessThan(60);
    expect(again.texts).toEqual(first.texts);
    expect(other.texts).not.toEqual(first.texts);
  });

  it('swap neighbours at rate 1: every second one arrives first', async () => {
    const { texts, slots } = await watched({ notificationSwap: 1 });
    const swapped: number[] = [];
    for (let index = 0; index < slots.length; index += 2) {
      swapped.push(slots[index + 1] ?? 0, slots[index] ?? 0);
    }
    expect(texts.map(slotIn)).toEqual(swapped);
  });

  it('send notifications that are not JSON at rate 1', async () => {
    const { texts } = await watched({ notificationGarbage: 1 });
    expect(texts).toHaveLength(30);
    for (const text of texts) expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  it('send nothing more on a lost subscription, while the connection and others continue', async () => {
    const { node, port } = await startNode({ subscriptionLoss: 1 });
    const client = new Client(port);
    await client.ask('slotSubscribe');
    node.advance();
    node.faults.calm();
    node.advance();
    expect((await client.ask('slotSubscribe')).result).toBe(1);
    node.advance();
    await client.until(() => client.notifications.length > 0);
    expect(client.notifications.map(({ params }) => params?.subscription)).toEqual([1]);
  });

  it('close the connection without a close frame', async () => {
    const { node, port } = await startNode({ socketCut: 1 });
    const client = new Client(port);
    let code = 0;
    client.socket.on('close', (given) => {
      code = given;
    });
    await client.ask('slotSubscribe');
    node.advance();
    await client.until(() => client.isClosed);
    expect(code).toBe(1006);
  });

  it('stall: the connection stays open, without answers or pongs', async () => {
    const { node, port } = await startNode({ socketStall: 1 }, { pingIntervalMs: 5 });
    const client = new Client(port);
    await client.ask('slotSubscribe');
    node.advance();
    node.faults.calm();
    const known = client.messages.length;
    let pongs = 0;
    client.socket.on('pong', () => pongs++);
    client.socket.ping();
    client.socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}');
    node.advance();
    const witness = new Client(port);
    await witness.until(() => witness.pings.length > 3);
    expect([client.messages.length - known, pongs, client.isClosed]).toEqual([0, 0, false]);
  });

  it('refuse to subscribe', async () => {
    const { port } = await startNode({ subscribeError: 1 });
    expect((await new Client(port).ask('slotSubscribe')).error).toEqual({
      code: -32603,
      message: 'Internal error',
    });
  });
});
