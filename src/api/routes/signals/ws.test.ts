import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { buildListing } from '../../../../tests/support/build-signal.ts';
import { fakeApiDeps, MINT, READ_KEY } from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../../tests/support/fake-api-server.ts';
import { refusalOf, StreamReader } from '../../../../tests/support/stream-reader.ts';
import type { SignalListing } from '../../../model/signal-listing.ts';
import { Topic } from '../../streams/topic.ts';

const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

async function serving() {
  const signals = new Topic<SignalListing>({
    keptMs: 60_000,
    weightMax: 1_000,
    nowMs: () => 1,
    onWanted: () => undefined,
  });
  const server = fakeApiServer({ streams: { ...fakeApiDeps().streams, signals } });
  closings.push(() => server.close());
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  return { signals, url: `ws://127.0.0.1:${port}/v1/signals/ws` };
}

describe('GET /v1/signals/ws', () => {
  test('sends one bare signal per message, keys in the order of the contract, and seq', async () => {
    const { signals, url } = await serving();
    const reader = await StreamReader.open(url, READ_KEY);
    signals.push(buildListing(), 1);
    const [message] = await reader.until(1);
    expect(message).toMatchObject({ row_id: 7, token_address: MINT, seq: 1_001 });
    expect(Object.keys(message ?? {})).toEqual([
      ...['row_id', 'token_address', 'pair_address', 'image', 'name', 'symbol'],
      ...['signal_market_cap', 'liquidity_usd', 'ath_market_cap_usd', 'roi_percentage'],
      ...['max_drawdown_percentage', 'max_drawdown_market_cap', 'version', 'model_name'],
      ...['created_at', 'seq'],
    ]);
    await reader.close();
  });

  test('sends only signals of the requested models', async () => {
    const { signals, url } = await serving();
    const asked = `${url}?model_name=smart_money_surge,smart_money_bounce`;
    const reader = await StreamReader.open(asked, READ_KEY);
    signals.push(buildListing({ rowId: 1 }), 1);
    signals.push(buildListing({ rowId: 2, model: 'smart_money_bounce' }), 1);
    signals.push(buildListing({ rowId: 3, model: 'smart_money_surge' }), 1);
    expect((await reader.until(2)).map(({ row_id: rowId }) => rowId)).toEqual([2, 3]);
    await reader.close();
  });

  test('resumes after a position, and first reports the gap', async () => {
    const { signals, url } = await serving();
    for (const rowId of [1, 2]) signals.push(buildListing({ rowId }), 1);
    const resumed = await StreamReader.open(`${url}?since=1001`, READ_KEY);
    expect(await resumed.until(1)).toMatchObject([{ row_id: 2, seq: 1_002 }]);
    await resumed.close();
    const old = await StreamReader.open(`${url}?since=7`, READ_KEY);
    expect(await old.until(3)).toMatchObject([
      { type: 'gap', from_seq: 8, to_seq: 1_000 },
      { row_id: 1 },
      { row_id: 2 },
    ]);
    await old.close();
  });

  test.each(['nope', 'random_minute', ''])('refuses the model "%s"', async (model) => {
    const { url } = await serving();
    const refusal = await refusalOf(`${url}?model_name=${model}`, { 'x-api-key': READ_KEY });
    expect(refusal).toMatchObject({ status: 422, body: { code: 422 } });
  });
});
