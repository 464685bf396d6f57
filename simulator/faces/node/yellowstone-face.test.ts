import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  readYellowstoneUpdate,
  type YellowstoneUpdate,
} from '../../../src/chain/protobuf/yellowstone-update.ts';
import { createGrpcClient } from '../../../src/chain/yellowstone/grpc-client.ts';
import type { StreamStatus } from '../../../src/chain/yellowstone/update-stream.ts';
import { encodeMessage, type Message } from '../../../tests/support/protobuf-messages.ts';
import { YellowstoneChain } from '../../../tests/support/yellowstone-chain.ts';
import type { YellowstoneOptions } from './yellowstone-face.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startChain(options: YellowstoneOptions = {}): Promise<YellowstoneChain> {
  const chain = new YellowstoneChain({ pingIntervalMs: 0, ...options }, { forkRate: 0.3 });
  await chain.listen();
  closing.push(() => chain.close());
  return chain;
}

/** The updates sent to one call, and how the call ended. */
async function subscribe(chain: YellowstoneChain, request: Message, token: string | null = null) {
  const client = createGrpcClient({ url: chain.url, token, messageBytesMax: 2 ** 24 });
  const stream = await client.open(encodeMessage('SubscribeRequest', request));
  closing.push(() => stream.close());
  const updates: YellowstoneUpdate[] = [];
  const ended: { status: StreamStatus | null } = { status: null };
  void (async () => {
    for (;;) {
      const read = await stream.read();
      if (read.kind === 'ended') {
        ended.status = read.status;
        return;
      }
      const reading = readYellowstoneUpdate(read.bytes);
      if (reading.status === 'ok') updates.push(reading.value);
    }
  })();
  const until = (condition: () => boolean) =>
    vi.waitFor(() => expect(condition()).toBe(true), { timeout: 120_000, interval: 5 });
  // The answer to a ping shows that the previous request was accepted.
  stream.write(encodeMessage('SubscribeRequest', { ping: { id: 1 } }));
  await until(() => ended.status !== null || updates.some(({ kind }) => kind === 'other'));
  return { updates, ended, until };
}

const hashesOf = (updates: readonly YellowstoneUpdate[]) =>
  updates.flatMap((update) => (update.kind === 'block' ? [update.block.blockhash] : []));

describe('commitments', () => {
  it('show dropped branches to processed immediately, and only canonical blocks to confirmed', async () => {
    const chain = await startChain();
    const first = chain.steps.length;
    const processed = await subscribe(chain, { blocks: { b: {} }, commitment: 0 });
    const confirmed = await subscribe(chain, { blocks: { b: {} }, commitment: 1 });
    chain.advance(30);
    const made = chain.steps.slice(first);
    expect(made.some(({ isCanonical }) => !isCanonical)).toBe(true);
    await processed.until(() => hashesOf(processed.updates).length >= made.length);
    expect(hashesOf(processed.updates)).toEqual(made.map(({ block }) => block.blockhash));
    await confirmed.until(() => hashesOf(confirmed.updates).length >= 28);
    const shown = hashesOf(confirmed.updates);
    const canonical = chain.canonical.map(({ blockhash }) => blockhash);
    const start = canonical.indexOf(shown[0] ?? '');
    expect(shown).toEqual(canonical.slice(start, start + shown.length));
    expect(shown.length).toBeGreaterThanOrEqual(28);
  });
});

describe('a replay', () => {
  it('sends everything from its slot on, then new blocks, each once', async () => {
    const chain = await startChain();
    chain.advance(20);
    const fromSlot = chain.canonical[8]?.slot ?? 0;
    const { updates, until } = await subscribe(chain, {
      blocks: { b: {} },
      commitment: 1,
      fromSlot,
    });
    chain.advance(10);
    const expected = chain.canonical
      .filter(({ slot }) => slot >= fromSlot && slot <= chain.confirmedSlot)
      .map(({ blockhash }) => blockhash);
    await until(() => hashesOf(updates).length >= expected.length);
    expect(hashesOf(updates)).toEqual(expected);
  });

  it("from a dropped slot is refused with a server's message and code", async () => {
    const chain = await startChain({ limits: { replaySlots: 10 } });
    chain.advance(40);
    const { ended } = await subscribe(chain, { blocks: { b: {} }, commitment: 1, fromSlot: 1_000 });
    const first = chain.confirmedSlot - 9;
    expect(ended.status).toEqual({
      code: 11,
      message: `broadcast from 1000 is not available, last available: ${first}`,
    });
  });

  it('is refused if it is not supported', async () => {
    const chain = await startChain({ limits: { replaySlots: 0 } });
    const { ended } = await subscribe(chain, { blocks: { b: {} }, fromSlot: 1_000 });
    expect(ended.status).toEqual({ code: 13, message: 'from_slot is not supported' });
  });
});

describe('a client', () => {
  it('without the token is rejected', async () => {
    const chain = await startChain({ token: 'right' });
    expect((await subscribe(chain, {}, 'wrong')).ended.status?.code).toBe(16);
    expect((await subscribe(chain, {}, 'right')).ended.status).toBeNull();
    expect(chain.face.clients).toBe(1);
  });

  it('with an invalid filter receives an error', async () => {
    const chain = await startChain();
    const { ended } = await subscribe(chain, { blocks: { b: { accountInclude: ['no key'] } } });
    expect(ended.status).toEqual({
      code: 3,
      message: 'failed to create filter: invalid pubkey no key',
    });
  });
});
