import bs58 from 'bs58';
import { afterEach, describe, expect, it } from 'vitest';
import { call, post, type RawAnswer } from '../../../tests/support/node-client.ts';
import { recordedChain, TransferMarket } from '../../../tests/support/transfer-market.ts';
import { CALM, type FaultSettings, parseFaults } from './fault-settings.ts';
import { Faults } from './faults.ts';
import { SimulatedNode } from './simulated-node.ts';

const open: SimulatedNode[] = [];
afterEach(async () => {
  for (const node of open.splice(0)) await node.close();
});

const VERSIONED = { maxSupportedTransactionVersion: 0, encoding: 'json' };

async function startNode(faults: Partial<FaultSettings>, slots = 60, forkRate = 0) {
  const chain = new TransferMarket({ skipRate: 0, forkRate, forkSlotsMax: 6 });
  const { steps, simulation } = recordedChain(chain);
  const sleeps: number[] = [];
  const node = new SimulatedNode({
    simulation,
    genesisHash: 'x',
    faults: new Faults({ ...CALM, ...faults }),
    clock: {
      nowMs: () => 0,
      sleep: async (ms) => {
        sleeps.push(ms);
      },
    },
  });
  open.push(node);
  const port = await node.listen(0);
  while (steps.length < slots) node.advance();
  return { node, port, steps, sleeps };
}

const slotCall = (id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method: 'getSlot' });

async function blockOf(port: number, slot: number, options: object = VERSIONED) {
  return (await call(port, 'getBlock', slot, options)).result as WireBlock;
}

interface WireBlock {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly transactions: readonly {
    readonly version: string | number;
    readonly meta: {
      readonly innerInstructions: object | null;
      readonly loadedAddresses?: object;
      readonly logMessages: readonly string[];
    } | null;
  }[];
}

describe('a fault', () => {
  it.each([
    [{ rpcErrors: { '-32005': 1 } }, -32005, 'Node is behind by 50 slots', { numSlotsBehind: 50 }],
    [{ rpcErrors: { '-32014': 1 } }, -32014, 'Block status not yet available for slot 1010'],
    [{ rpcErrors: { '-32004': 1 } }, -32004, 'Block not available for slot 1010'],
    [
      { rpcErrors: { '-32007': 1 } },
      -32007,
      'Slot 1010 was skipped, or missing due to ledger jump to recent snapshot',
    ],
    [
      { rpcErrors: { '-32009': 1 } },
      -32009,
      'Slot 1010 was skipped, or missing in long-term storage',
    ],
    [
      { rpcErrors: { '-32016': 1 } },
      -32016,
      'Minimum context slot has not been reached',
      { contextSlot: 1_009 },
    ],
    [
      { rpcErrors: { '-32015': 1 } },
      -32015,
      'Transaction version (1) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 1',
    ],
    [{ rpcErrors: { '-32603': 1 } }, -32603, 'Internal error'],
  ])('%j gives that error with a node’s message', async (faults, code, message, data?: object) => {
    const { port } = await startNode(faults);
    const { error } = await call(port, 'getBlock', 1_010, VERSIONED);
    expect(error).toEqual(data === undefined ? { code, message } : { code, message, data });
  });

  it('limits block errors to methods that request a block', async () => {
    const { port } = await startNode({ rpcErrors: { '-32007': 1, '-32015': 1 } });
    expect((await call(port, 'getSlot')).error).toBeUndefined();
  });

  it('reports an existing block as skipped, while lists contain it', async () => {
    const { port } = await startNode({ falseSkip: 1, falseSkipCode: -32009 });
    expect((await call(port, 'getBlocks', 1_010, 1_010)).result).toEqual([1_010]);
    expect((await call(port, 'getBlock', 1_010, VERSIONED)).error?.code).toBe(-32009);
  });

  it('omits existing blocks from lists, the same for one seed, and others on repetition', async () => {
    const holes = async (seed: string) => {
      const { port } = await startNode({ listHoles: 0.5, seed });
      const first = (await call(port, 'getBlocks', 1_000, 1_025)).result as number[];
      const second = (await call(port, 'getBlocks', 1_000, 1_025)).result as number[];
      return [first, second];
    };
    const [first, second] = await holes('a');
    expect(first?.length).toBeGreaterThan(2);
    expect(first?.length).toBeLessThan(24);
    expect(second).not.toEqual(first);
    expect(await holes('a')).toEqual([first, second]);
    expect(await holes('b')).not.toEqual([first, second]);
  });

  it.each([429, 500, 503])('answers with HTTP %i', async (status) => {
    const { port } = await startNode({ httpErrors: { [status]: 1 }, retryAfterSeconds: 7 });
    const answer = await post(port, slotCall());
    expect(answer.status).toBe(status);
    expect(answer.headers['retry-after']).toBe(status === 429 ? '7' : undefined);
  });

  it('delays answers by a time between the bounds', async () => {
    const { port, sleeps } = await startNode({ delay: 1, delayMinMs: 100, delayMaxMs: 200 });
    for (let id = 0; id < 5; id++) await post(port, slotCall(id));
    expect(sleeps).toHaveLength(5);
    for (const ms of sleeps) {
      expect(ms).toBeGreaterThanOrEqual(100);
      expect(ms).toBeLessThanOrEqual(200);
    }
    expect(new Set(sleeps).size).toBeGreaterThan(1);
  });

  it('stalls: the request is accepted and no byte is sent, while others are served', async () => {
    const { port, node } = await startNode({ stall: 1 });
    let outcome = 'open';
    const stalled = post(port, slotCall()).then(
      () => {
        outcome = 'answered';
      },
      () => {
        outcome = 'closed';
      },
    );
    while ((await control(port)).status !== 200);
    node.faults.calm();
    for (let id = 0; id < 20; id++) await post(port, slotCall(id));
    expect(outcome).toBe('open');
    await node.close();
    await stalled;
    expect(outcome).toBe('closed');
  });

  const control = (port: number) => post(port, '', { path: '/faults', method: 'GET' });

  it('closes the connection in the middle of the body', async () => {
    const { port } = await startNode({ cut: 1 });
    const answer = await post(port, slotCall());
    expect(answer.isCut).toBe(true);
    expect(answer.text.length).toBeLessThan(Number(answer.headers['content-length']));
    expect(answer.text.length).toBeGreaterThan(0);
  });

  it('sends a web page with status 200', async () => {
    const { port } = await startNode({ html: 1 });
    const answer = await post(port, slotCall());
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html']);
    expect(answer.text).toMatch(/^<html>/);
  });

  it('sends half of the JSON as if it were complete', async () => {
    const { port } = await startNode({ truncatedJson: 1 });
    const answer = await post(port, slotCall());
    expect(answer.isCut).toBe(false);
    expect(() => JSON.parse(answer.text)).toThrow(SyntaxError);
  });

  it('sends a field of another type', async () => {
    const { port, node } = await startNode({});
    const sound = (await call(port, 'getBlock', 1_010, VERSIONED)).result as object;
    node.faults.change({ wrongTypes: 1 });
    const wrong = (await call(port, 'getBlock', 1_010, VERSIONED)).result as object;
    const types = (value: object) => Object.values(value).map((field) => typeof field);
    expect(Object.keys(wrong)).toEqual(Object.keys(sound));
    const changed = types(wrong).filter((type, index) => type !== types(sound)[index]);
    expect(changed).toHaveLength(1);
    expect((await call(port, 'getSlot')).result).toBe('unexpected');
  });

  it('sends an integer of thirty digits', async () => {
    const { port } = await startNode({ hugeIntegers: 1 });
    expect((await post(port, slotCall())).text).toContain(
      '"result":123456789012345678901234567890,',
    );
    const body = { jsonrpc: '2.0', id: 1, method: 'getBlock', params: [1_010, VERSIONED] };
    const { text } = await post(port, JSON.stringify(body));
    expect(text.match(/123456789012345678901234567890/g)).toHaveLength(1);
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it('omits meta, inner instructions or loaded addresses', async () => {
    const { port, node } = await startNode({ metaNull: 1 });
    const metas = async () => (await blockOf(port, 1_010)).transactions.map(({ meta }) => meta);
    expect((await metas()).filter((meta) => meta === null)).toHaveLength(1);
    node.faults.calm();
    node.faults.change({ innerInstructionsNull: 1 });
    expect((await metas()).filter((meta) => meta?.innerInstructions === null)).toHaveLength(1);
    node.faults.calm();
    expect((await metas()).every((meta) => meta?.loadedAddresses !== undefined)).toBe(true);
    node.faults.change({ loadedAddressesMissing: 1 });
    expect((await metas()).some((meta) => meta !== null && 'loadedAddresses' in meta)).toBe(false);
  });

  it("truncates logs with the runtime's own message", async () => {
    const { port, steps } = await startNode({ logTruncation: 1, logLimitBytes: 60 });
    const block = await blockOf(port, 1_010);
    const source = steps.find(({ block: { slot } }) => slot === 1_010)?.block;
    expect(block.transactions.length).toBeGreaterThan(0);
    block.transactions.forEach(({ meta }, index) => {
      const full = source?.transactions[index]?.logs ?? [];
      const logs = meta?.logMessages ?? [];
      expect(logs).toContain('Log truncated');
      const kept = logs.filter((line) => line !== 'Log truncated');
      expect(kept.join('').length).toBeLessThan(60);
      expect(full).toEqual(expect.arrayContaining(kept));
    });
  });

  it('returns to an earlier state', async () => {
    const { port, node } = await startNode({ headBack: 1, headBackSlots: 5 });
    const back = (await call(port, 'getSlot', { commitment: 'confirmed' })).result as number;
    expect((await call(port, 'getBlock', back + 1, VERSIONED)).error?.code).toBe(-32004);
    node.faults.calm();
    expect((await call(port, 'getSlot', { commitment: 'confirmed' })).result).toBe(back + 5);
  });

  it('first shows another block of the slot and later the canonical one', async () => {
    const { port, node, steps } = await startNode({ equivocation: 1, equivocationSlots: 6 });
    const options = { ...VERSIONED, commitment: 'confirmed' };
    const block = steps.at(-3)?.block;
    const slot = block?.slot ?? 0;
    const early = await blockOf(port, slot, options);
    expect(early.blockhash).not.toBe(block?.blockhash);
    expect(bs58.decode(early.blockhash)).toHaveLength(32);
    expect(early.transactions.length).toBe((block?.transactions.length ?? 0) - 1);
    expect(early.previousBlockhash).toBe(block?.previousBlockhash);
    for (let slots = 0; slots < 6; slots++) node.advance();
    const late = await blockOf(port, slot, options);
    expect(late.blockhash).toBe(block?.blockhash);
    expect(late.transactions.length).toBe(block?.transactions.length);
  });

  it('confirms and finalizes blocks of a branch that is dropped, and reverts them', async () => {
    const { port, node, steps } = await startNode({ confirmsDropped: true }, 60, 1);
    const options = { ...VERSIONED, commitment: 'confirmed' };
    while (steps.at(-1)?.isCanonical !== false || steps.at(-2)?.isCanonical !== false) {
      node.advance();
    }
    const dropped = steps.at(-2)?.block;
    const slot = dropped?.slot ?? 0;
    expect((await blockOf(port, slot, options)).blockhash).toBe(dropped?.blockhash);
    while (steps.at(-1)?.isCanonical !== true) node.advance();
    expect((await call(port, 'getBlock', slot, options)).error?.code).toBe(-32004);
  });

  it('affects at a rate the same requests for one seed, in any order', async () => {
    const struck = async (seed: string, order: readonly number[]) => {
      const { port } = await startNode({ rpcErrors: { '-32005': 0.4 }, seed });
      const answers = await Promise.all(
        order.map(async (slot) => [slot, (await call(port, 'getBlockTime', slot)).error?.code]),
      );
      return answers
        .filter(([, code]) => code === -32005)
        .map(([slot]) => Number(slot))
        .sort();
    };
    const order = Array.from({ length: 25 }, (_, index) => 1_001 + index);
    const first = await struck('a', order);
    expect(first.length).toBeGreaterThan(2);
    expect(first.length).toBeLessThan(20);
    expect(await struck('a', order.toReversed())).toEqual(first);
    expect(await struck('b', order)).not.toEqual(first);
  });

  it('gives the same bytes for the same seed in 150 answers, others for another seed', async () => {
    const rate = 0.08;
    const storm: Partial<FaultSettings> = {
      rpcErrors: { '-32005': rate, '-32014': rate, '-32007': rate },
      httpErrors: { '429': rate, '503': rate },
      delay: rate,
      cut: rate,
      html: rate,
      truncatedJson: rate,
      wrongTypes: rate,
      hugeIntegers: rate,
      metaNull: rate,
      innerInstructionsNull: rate,
      loadedAddressesMissing: rate,
      logTruncation: rate,
      logLimitBytes: 100,
      falseSkip: rate,
      listHoles: rate,
      headBack: rate,
      equivocation: rate,
    };
    const answers = async (seed: string) => {
      const { port, sleeps } = await startNode({ ...storm, seed });
      const answers: unknown[] = [];
      for (let id = 0; id < 150; id++) {
        const params = [1_000 + (id % 25), VERSIONED];
        const method = ['getBlock', 'getBlocks', 'getSlot'][id % 3];
        const body = { jsonrpc: '2.0', id, method, params: method === 'getSlot' ? [] : params };
        const { status, text, isCut } = await post(port, JSON.stringify(body));
        answers.push([status, text, isCut]);
      }
      return [...answers, sleeps];
    };
    const first = await answers('a');
    expect(await answers('a')).toEqual(first);
    expect(await answers('b')).not.toEqual(first);
  });

  it('allows a retry to succeed: a repeated request is decided again', async () => {
    const { port } = await startNode({ metaNull: 0.5 });
    const isSound: boolean[] = [];
    for (let attempt = 0; attempt < 20; attempt++) {
      const { transactions } = await blockOf(port, 1_010);
      isSound.push(transactions.every(({ meta }) => meta !== null));
    }
    expect(new Set(isSound)).toEqual(new Set([true, false]));
  });
});

describe('the control endpoint', () => {
  const send = (port: number, body: unknown, path = '/faults'): Promise<RawAnswer> =>
    post(port, JSON.stringify(body), { path });

  it('changes the given faults, returns all, and switches them off', async () => {
    const { port } = await startNode({ seed: 's' });
    expect((await send(port, { httpErrors: { 503: 1 } })).status).toBe(200);
    expect((await post(port, slotCall())).status).toBe(503);
    const current = JSON.parse((await post(port, '', { path: '/faults', method: 'GET' })).text);
    expect(current).toEqual({ ...CALM, seed: 's', httpErrors: { 503: 1 } });
    await post(port, '', { path: '/faults', method: 'DELETE' });
    expect((await post(port, slotCall())).status).toBe(200);
  });

  it('advances slots', async () => {
    const { port, steps } = await startNode({}, 10);
    expect((await send(port, { slots: 5 }, '/advance')).status).toBe(200);
    expect(steps).toHaveLength(15);
    expect((await send(port, { slots: 0 }, '/advance')).status).toBe(400);
    expect((await send(port, null, '/advance')).status).toBe(400);
  });

  it.each([
    [[], 'faults must be a JSON object'],
    [{ storm: 1 }, 'storm is no fault'],
    [{ stall: 2 }, 'stall must be a rate from 0 to 1'],
    [{ stall: -0.1 }, 'stall must be a rate from 0 to 1'],
    [{ stall: '1' }, 'stall must be a rate from 0 to 1'],
    [{ headBackSlots: 1.5 }, 'headBackSlots must be a whole number from 0 to 1000000'],
    [{ rpcErrors: { '-1': 1 } }, 'rpcErrors has no code -1'],
    [{ rpcErrors: [] }, 'rpcErrors must be an object of rates by code'],
    [{ rpcErrors: { '-32005': 7 } }, 'rpcErrors -32005 must be a rate from 0 to 1'],
    [{ httpErrors: { 404: 1 } }, 'httpErrors has no status 404'],
    [{ falseSkipCode: -32005 }, 'falseSkipCode must be -32004, -32007 or -32009'],
    [{ confirmsDropped: 1 }, 'confirmsDropped must be true or false'],
    [{ seed: 4 }, 'seed must be a text'],
    [{ delayMinMs: 600 }, 'delayMinMs is above delayMaxMs'],
  ])('rejects %j with the name of the field, and changes nothing', async (document, message) => {
    const { port, node } = await startNode({}, 2);
    const answer = await send(port, document);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { error: message }]);
    expect(node.faults.settings).toEqual(CALM);
  });

  it('rejects a field that is a property of every object', () => {
    expect(parseFaults(JSON.parse('{"__proto__":{"stall":1}}'))).toEqual({
      kind: 'refused',
      message: '__proto__ is no fault',
    });
  });
});
