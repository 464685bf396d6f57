import { connect } from 'node:net';
import {
  address,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  getBase64Codec,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  isSolanaError,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  type SolanaErrorCode,
} from '@solana/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { call, post } from '../../../tests/support/node-client.ts';
import {
  recordedChain,
  TransferMarket,
  type TransferMarketOptions,
} from '../../../tests/support/transfer-market.ts';
import { type NodeOptions, SimulatedNode } from './simulated-node.ts';

const open: SimulatedNode[] = [];
afterEach(async () => {
  for (const node of open.splice(0)) await node.close();
});

/** A node that has seen some slots, and the actual history of the chain. */
async function startNode(
  slots: number,
  market: TransferMarketOptions = {},
  options: Partial<NodeOptions> = {},
) {
  const chain = new TransferMarket(market);
  const { steps, simulation } = recordedChain(chain);
  const node = new SimulatedNode({ simulation, genesisHash: GENESIS, ...options });
  open.push(node);
  const port = await node.listen(0);
  while (steps.length < slots) node.advance();
  return { chain, steps, node, port, rpc: createSolanaRpc(`http://127.0.0.1:${port}`) };
}

const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

async function errorCode(promise: Promise<unknown>): Promise<SolanaErrorCode | null> {
  try {
    await promise;
    return null;
  } catch (error) {
    if (isSolanaError(error)) return error.context.__code;
    throw error;
  }
}

describe('a simulated node used by @solana/kit', () => {
  it('returns the slots of each commitment: the newest block, and canonical ones behind by the lag', async () => {
    const { rpc, steps } = await startNode(60, { forkRate: 0.2 }, { confirmedLagSlots: 3 });
    const head = steps.at(-1)?.block.slot ?? 0;
    const behind = (lag: number) =>
      steps.findLast(({ block, isCanonical }) => isCanonical && block.slot <= head - lag)?.block;
    expect(await rpc.getSlot({ commitment: 'processed' }).send()).toBe(BigInt(head));
    expect(await rpc.getSlot({ commitment: 'confirmed' }).send()).toBe(
      BigInt(behind(3)?.slot ?? 0),
    );
    expect(await rpc.getSlot({ commitment: 'finalized' }).send()).toBe(
      BigInt(behind(31)?.slot ?? 0),
    );
    expect(await rpc.getBlockHeight({ commitment: 'confirmed' }).send()).toBe(
      BigInt(behind(3)?.blockHeight ?? 0),
    );
    const { value } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    expect(value.blockhash).toBe(behind(3)?.blockhash);
  });

  it('lists and returns every canonical block and none of a dropped branch', async () => {
    const { rpc, steps } = await startNode(80, { forkRate: 0.2 });
    const dropped = steps.filter(({ isCanonical }) => !isCanonical);
    expect(dropped.length).toBeGreaterThan(3);
    const head = steps.at(-1)?.block.slot ?? 0;
    const expected = steps
      .filter(({ block, isCanonical }) => isCanonical && block.slot < head)
      .map(({ block }) => block);
    const listed = await rpc.getBlocks(0n, undefined, { commitment: 'confirmed' }).send();
    expect(listed.map(Number)).toEqual(expected.map(({ slot }) => slot));
    for (const block of expected) {
      const given = await rpc
        .getBlock(BigInt(block.slot), { ...BASE64, commitment: 'confirmed' })
        .send();
      expect(given?.blockhash).toBe(block.blockhash);
      expect(given?.previousBlockhash).toBe(block.previousBlockhash);
      expect(given?.parentSlot).toBe(BigInt(block.parentSlot));
    }
    const finalized = await rpc.getSlot(FINALIZED).send();
    for (const { block } of dropped.filter(({ block }) => block.slot < finalized)) {
      expect(
        await errorCode(rpc.getBlock(BigInt(block.slot), { ...BASE64, ...FINALIZED }).send()),
      ).toBe(SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED);
    }
  });

  it('writes base64 transactions that kit decodes to the executed signatures, keys and programs', async () => {
    const { rpc, steps } = await startNode(50);
    const block = steps[10]?.block;
    const given = await rpc.getBlock(BigInt(block?.slot ?? 0), BASE64).send();
    expect(given?.transactions.length).toBe(block?.transactions.length);
    block?.transactions.forEach((transaction, index) => {
      const [text] = given?.transactions[index]?.transaction ?? ['', 'base64'];
      const decoded = getTransactionDecoder().decode(getBase64Codec().encode(text));
      const message = getCompiledTransactionMessageDecoder().decode(decoded.messageBytes);
      expect(Object.keys(decoded.signatures)).toEqual(
        transaction.staticKeys.slice(0, transaction.header.requiredSignatures),
      );
      expect(message.version).toBe(transaction.version);
      expect(message.staticAccounts).toEqual(transaction.staticKeys);
    });
  });

  it('returns in json the same fees, errors and balances as the chain', async () => {
    const { rpc, steps } = await startNode(50);
    const block = steps[12]?.block;
    const options = { encoding: 'json', maxSupportedTransactionVersion: 0 } as const;
    const given = await rpc.getBlock(BigInt(block?.slot ?? 0), options).send();
    expect(
      given?.transactions.map(({ meta }) => [meta?.fee, meta?.preBalances, meta?.postBalances]),
    ).toEqual(
      block?.transactions.map((transaction) => [
        transaction.feeLamports,
        transaction.lamportsBefore,
        transaction.lamportsAfter,
      ]),
    );
  });

  it('finds a transaction by its signature once its block has the commitment, null before', async () => {
    const { rpc, steps, port } = await startNode(60);
    const old = steps[5]?.block;
    const signature = old?.transactions[1]?.signatures[0] as unknown as Signature;
    const found = await rpc.getTransaction(signature, BASE64).send();
    expect(found?.slot).toBe(BigInt(old?.slot ?? 0));
    expect(found?.blockTime).toBe(BigInt(old?.blockTime ?? 0));
    const young = steps.at(-3)?.block.transactions[0]?.signatures[0];
    expect((await call(port, 'getTransaction', young, BASE64)).result).toBeNull();
    const confirmed = await call(port, 'getTransaction', young, {
      ...BASE64,
      commitment: 'confirmed',
    });
    expect(confirmed.result).toMatchObject({ slot: steps.at(-3)?.block.slot });
  });

  it('pages through all signatures of an address, newest first, without gap or repetition', async () => {
    const { rpc, steps, chain } = await startNode(70, { forkRate: 0.1 });
    const [wallet] = chain.wallets;
    const finalized = Number(await rpc.getSlot(FINALIZED).send());
    const expected = steps
      .filter(({ block, isCanonical }) => isCanonical && block.slot <= finalized)
      .flatMap(({ block }) => block.transactions)
      .filter((transaction) =>
        [transaction.staticKeys, transaction.loadedWritable, transaction.loadedReadonly]
          .flat()
          .some((key) => key === wallet),
      )
      .map(({ signatures }) => signatures[0])
      .reverse();
    expect(expected.length).toBeGreaterThan(20);
    const paged: string[] = [];
    for (;;) {
      const before = paged.at(-1) as Signature | undefined;
      const options =
        before === undefined ? { ...FINALIZED, limit: 7 } : { ...FINALIZED, limit: 7, before };
      const page = await rpc.getSignaturesForAddress(address(wallet ?? ''), options).send();
      paged.push(...page.map(({ signature }) => signature));
      if (page.length < 7) break;
    }
    expect(paged).toEqual(expected);
    const until = expected[4] as unknown as Signature;
    const first = await rpc
      .getSignaturesForAddress(address(wallet ?? ''), { ...FINALIZED, until })
      .send();
    expect(first.map(({ signature }) => signature)).toEqual(expected.slice(0, 4));
  });

  it('has the codes kit expects for a dropped slot, an unsupported version, and a low context', async () => {
    const { rpc, steps } = await startNode(80, { tableShare: 1 }, { windowSlots: 40 });
    const finalized = await rpc.getSlot(FINALIZED).send();
    expect(await errorCode(rpc.getBlock(1_000n, BASE64).send())).toBe(
      SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
    );
    expect(await errorCode(rpc.getBlock(finalized, { encoding: 'base64' }).send())).toBe(
      SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
    );
    const minContextSlot = finalized + 1n;
    expect(await errorCode(rpc.getSlot({ ...FINALIZED, minContextSlot }).send())).toBe(
      SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
    );
    expect(steps.length).toBe(80);
  });

  it('sends each new block to subscribers of slots, blocks, logs and roots', async () => {
    const { node, port, steps } = await startNode(40, { skipRate: 0 });
    const subscriptions = createSolanaRpcSubscriptions(`ws://127.0.0.1:${port}`);
    const stop = new AbortController();
    const abort = { abortSignal: stop.signal };
    const slots = await subscriptions.slotNotifications().subscribe(abort);
    const logs = await subscriptions
      .logsNotifications('all', { commitment: 'processed' })
      .subscribe(abort);
    const roots = await subscriptions.rootNotifications().subscribe(abort);
    const known = steps.length;
    const received = Promise.all([firstOf(slots), firstOf(logs), firstOf(roots)]);
    node.advance();
    const [slot, log, root] = await received;
    const step = steps[known];
    const head = step?.block.slot ?? 0;
    const parent = BigInt(step?.block.parentSlot ?? 0);
    expect(slot).toEqual({ parent, root: BigInt(head - 31), slot: BigInt(head) });
    expect(log.value.signature).toBe(step?.block.transactions[0]?.signatures[0]);
    expect(log.value.logs).toEqual(step?.block.transactions[0]?.logs);
    expect(root).toBe(BigInt(head - 31));
    stop.abort();
  });
});

const FINALIZED = { commitment: 'finalized' } as const;
const BASE64 = { encoding: 'base64', maxSupportedTransactionVersion: 0 } as const;

async function firstOf<Item>(items: AsyncIterable<Item>): Promise<Item> {
  for await (const item of items) return item;
  throw new Error('the subscription ended');
}

describe('errors and bad requests', () => {
  it.each([
    ['getBlock', [99_999], -32004, 'Block not available for slot 99999'],
    [
      'getBlock',
      [1],
      -32001,
      /^Block 1 cleaned up, does not exist on node\. First available block: \d+$/,
    ],
    [
      'getBlock',
      [1_010, { commitment: 'processed' }],
      -32602,
      'Method does not support commitment below `confirmed`',
    ],
    ['getBlock', [], -32602, '`params` should have at least 1 argument(s)'],
    ['getBlock', ['1010'], -32602, 'Invalid params: invalid type: string, expected u64.'],
    ['getBlock', [-1], -32602, 'Invalid params: invalid type: number, expected u64.'],
    ['getBlock', [1.5], -32602, 'Invalid params: invalid type: number, expected u64.'],
    [
      'getBlock',
      [1_010, { encoding: 'xml' }],
      -32602,
      'Invalid params: unknown variant `xml`, expected one of `json`, `jsonParsed`, `base64`, `base58`.',
    ],
    ['getBlocks', [0, 600_000, { commitment: 'sometimes' }], -32602, /unknown variant `sometimes`/],
    ['getBlocksWithLimit', [0, 500_001], -32602, 'Limit too large; max 500000'],
    ['getTransaction', ['abc'], -32602, 'Invalid param: Invalid'],
    ['getSignaturesForAddress', ['abc'], -32602, 'Invalid param: WrongSize'],
    ['getSignaturesForAddress', [GENESIS, { limit: 1_001 }], -32602, 'Invalid limit; max 1000'],
    ['getAgGenesisCert', [], -32601, 'Method not found'],
    ['constructor', [], -32601, 'Method not found'],
  ])('%s is refused as agave refuses it: %j', async (method, params, code, message) => {
    const { port } = await startNode(60, { skipRate: 0 });
    const { error } = await call(port, method, ...params);
    expect(error?.code).toBe(code);
    expect(error?.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it('rejects more than a hundred accounts at once', async () => {
    const { port } = await startNode(2);
    const { error } = await call(port, 'getMultipleAccounts', new Array(101).fill(GENESIS));
    expect(error).toEqual({ code: -32602, message: 'Too many inputs provided; max 100' });
  });

  it('returns -32009 for slots older than the window when it has long-term storage', async () => {
    const { port } = await startNode(60, {}, { windowSlots: 40, hasLongTermStorage: true });
    expect((await call(port, 'getBlock', 1_000)).error).toEqual({
      code: -32009,
      message: 'Slot 1000 was skipped, or missing in long-term storage',
    });
  });

  it.each([
    ['{', -32700, 'Parse error'],
    ['[]', -32600, 'Invalid request'],
    ['7', -32600, 'Invalid request'],
    ['{"id":1,"method":"getSlot"}', -32600, 'Invalid request'],
    ['{"jsonrpc":"2.0","id":{},"method":"getSlot"}', -32600, 'Invalid request'],
    [`{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{}}`, -32600, /should be an array/],
  ])('the body %s is refused with %i', async (body, code, message) => {
    const { port } = await startNode(2);
    const answer = await post(port, body);
    expect(answer.status).toBe(200);
    const { error } = JSON.parse(answer.text) as { error: { code: number; message: string } };
    expect(error.code).toBe(code);
    expect(error.message).toEqual(expect.stringMatching(message));
  });

  it('answers a batch in order and does not answer notifications', async () => {
    const { port } = await startNode(40);
    const calls = [
      { jsonrpc: '2.0', id: 'a', method: 'getHealth' },
      { jsonrpc: '2.0', method: 'getSlot' },
      { jsonrpc: '2.0', id: 2, method: 'nothing' },
      4,
    ];
    const { text } = await post(port, JSON.stringify(calls));
    expect(JSON.parse(text)).toEqual([
      { jsonrpc: '2.0', result: 'ok', id: 'a' },
      { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id: 2 },
      { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request' }, id: null },
    ]);
    expect((await post(port, '{"jsonrpc":"2.0","method":"getSlot"}')).text).toBe('');
  });

  it('rejects requests that are too long or invalid, and still serves the next client', async () => {
    const { port } = await startNode(40, {}, { limits: { batchAnswerChars: 1_000 } });
    const huge = `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(10_000_000)}"}`;
    expect((await post(port, huge)).status).toBe(413);
    const many = JSON.stringify(
      Array.from({ length: 10_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'getSlot' })),
    );
    expect((await post(port, many)).status).toBe(413);
    const deep = `{"jsonrpc":"2.0","id":1,"method":"getSlot","params":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    expect(JSON.parse((await post(port, deep)).text).error.code).toBe(-32700);
    expect((await post(port, '{}', { type: 'text/plain' })).status).toBe(415);
    expect((await post(port, '', { method: 'PUT' })).status).toBe(405);
    const fitting = Array.from({ length: 100 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'getVersion',
    }));
    const answers = JSON.parse((await post(port, JSON.stringify(fitting))).text) as RpcAnswers;
    expect(answers).toHaveLength(100);
    expect(answers[0]?.result).toBeDefined();
    expect(answers[99]?.error?.code).toBe(-32603);
    expect((await call(port, 'getHealth')).result).toBe('ok');
  });

  it('survives clients that disconnect during a request, an answer or a handshake', async () => {
    const { port, steps } = await startNode(40);
    const slot = steps[5]?.block.slot;
    const whole = `{"jsonrpc":"2.0","id":1,"method":"getBlock","params":[${slot}]}`;
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const beginnings = [
      `${head}Content-Length: 500\r\n\r\n{"jsonrpc"`,
      `${head}Content-Length: ${whole.length}\r\n\r\n${whole}`,
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'no HTTP at all\r\n\r\n',
    ];
    for (const text of beginnings) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(text, () => socket.resetAndDestroy());
        });
        socket.on('close', () => resolve());
        socket.on('error', () => resolve());
      });
    }
    expect((await call(port, 'getHealth')).result).toBe('ok');
  });

  it('holds no more than its window, however long the chain runs', async () => {
    const { node, steps } = await startNode(
      600,
      { skipRate: 0, transfersPerSlot: 1 },
      {
        windowSlots: 50,
      },
    );
    expect(steps.length).toBe(600);
    expect(node.pendingBlocks).toBe(50);
  });
});

type RpcAnswers = readonly { result?: unknown; error?: { code: number } }[];
