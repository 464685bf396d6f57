import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { buildListing } from '../../../../tests/support/build-signal.ts';
import { address } from '../../../../tests/support/build-transaction.ts';
import { READ_KEY } from '../../../../tests/support/fake-api-deps.ts';
import { assertDocumentedEvent } from '../../../../tests/support/stream-conformance.ts';
import { connectTo, servingTopics } from '../../../../tests/support/topic-stream.ts';
import { OPERATOR } from '../../../model/rule-change.ts';
import type { RuleSignalListing, StreamedSignal } from '../../../model/signal-listing.ts';
import { presentRuleSignal } from '../../present/signals-body.ts';

const servers: FastifyInstance[] = [];
const requests: ClientRequest[] = [];

afterEach(async () => {
  for (const request of requests.splice(0)) request.destroy();
  for (const server of servers.splice(0)) await server.close();
});

async function serving() {
  const { host, take } = await servingTopics(servers);
  const takeSignals = (slot: number, signals: readonly StreamedSignal[], isUndone = false) =>
    take(
      slot,
      signals.map((signal) => ({ topic: 'signals', signal })),
      isUndone,
    );
  return { host, take: takeSignals };
}

const connect = (host: string) => connectTo(host, 'signals');
const subscribe = { op: 'subscribe', id: 'signals', topic: 'signals' };

function ofRule(rowId: number, author: string, mint = address('mint')): RuleSignalListing {
  const { model: _, ...figures } = buildListing({ rowId, version: 2, mint });
  return { ...figures, rule: { author, name: 'dip', version: 2, hash: 'abcdef01'.repeat(8) } };
}

const OF_MODEL = buildListing({ rowId: 1 });
const OWN = ofRule(2, 'account of reader');
const OF_OPERATOR = ofRule(3, OPERATOR);
const OF_OTHERS = ofRule(4, 'account of writer');
const ALL = [OF_MODEL, OWN, OF_OPERATOR, OF_OTHERS];

describe('signals of rules in the topic signals', () => {
  test('are not sent without author, to nobody', async () => {
    const { host, take } = await serving();
    const { ask, received } = await connect(host);
    expect(await ask(subscribe)).toMatchObject({ op: 'ack' });
    const token = { token_address: address('mint') };
    expect(await ask({ ...subscribe, id: 'token', params: token })).toMatchObject({ op: 'ack' });
    take(20, ALL);
    expect(await received()).toEqual([1, 1]);
  });

  test.each<[string, object, readonly number[]]>([
    ['all authors', { author: 'built_in,account,operator' }, [1, 2, 3, 5]],
    ['the account', { author: 'account' }, [2, 5]],
    ['the operator', { author: 'operator' }, [3]],
    ['rules', { author: 'account,operator' }, [2, 3, 5]],
    ['the models', { author: 'built_in' }, [1]],
    ['a token', { author: 'account', token_address: address('mint') }, [2]],
    ['another token', { author: 'built_in,account', token_address: address('other') }, [5]],
    [
      'a model, which no rule is',
      { author: 'built_in,account', model_name: 'organic_momentum' },
      [1],
    ],
  ])('are those of %s, and never those of another account', async (_, params, expected) => {
    const { host, take } = await serving();
    const { ask, received } = await connect(host);
    expect(await ask({ ...subscribe, params })).toMatchObject({ op: 'ack' });
    take(20, ALL);
    take(21, [ofRule(5, OWN.rule.author, address('other'))]);
    expect(await received()).toEqual(expected);
  });

  test('have the fields of GET /v1/signals, with author and rule_id', async () => {
    const { host, take } = await serving();
    const { ask, reader, received } = await connect(host);
    await ask({ ...subscribe, params: { author: 'built_in,account,operator' } });
    take(20, ALL);
    await received();
    const sent = reader.messages.filter(({ topic }) => topic === 'signals').map(({ data }) => data);
    expect(sent).toMatchObject([
      { model_name: 'organic_momentum' },
      { author: 'account', rule_id: 'dip@2+abcdef01abcdef01', version: 2 },
      { author: 'operator' },
    ]);
    expect(sent[0]).not.toHaveProperty('rule_id');
    expect(sent[1]).toEqual(presentRuleSignal(OWN, { imageOf: () => null }));
  });

  test('are taken back with what a fork abandons, and resumed in their order', async () => {
    const { host, take } = await serving();
    const params = { author: 'built_in,account' };
    const first = await connect(host);
    await first.ask({ ...subscribe, params });
    take(20, ALL);
    take(20, ALL, true);
    expect(await first.received()).toEqual([1, 2, -2, -1]);
    const seq = first.reader.messages.findLast(({ topic }) => topic === 'signals')?.seq;
    await first.reader.close();
    take(21, [OWN, OF_OTHERS, OF_MODEL]);
    const second = await connect(host);
    await second.ask({ ...subscribe, params, since: seq });
    expect(await second.received()).toEqual([2, 1]);
  });

  test.each(['', 'account of writer', 'accounts', 'account,account,account,account'])(
    'are refused to an author %j',
    async (author) => {
      const { host } = await serving();
      const { ask } = await connect(host);
      const answer = await ask({ ...subscribe, params: { author } });
      expect(answer).toMatchObject({ op: 'error', code: 422 });
    },
  );

  test('are sent as server-sent events to their account alone', async () => {
    const { host, take } = await serving();
    const url = `http://${host}/v1/stream/sse?topic=signals&author=account,operator`;
    const request = get(url, { headers: { 'x-api-key': READ_KEY } });
    requests.push(request);
    const [response] = await new Promise<[IncomingMessage]>((resolve) =>
      request.once('response', (got) => resolve([got])),
    );
    let text = '';
    response.setEncoding('utf8');
    response.on('error', () => undefined);
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    await vi.waitFor(() => expect(text).toContain('event: ack'));
    take(20, ALL);
    // The last one shows that nothing of the first slot is still on its way.
    take(21, [ofRule(9, OPERATOR)]);
    await vi.waitFor(() => expect(text).toContain('"row_id":9'));
    const events = [...text.matchAll(/^data: (.*"topic".*)$/gm)].map(
      ([, json = '']) => JSON.parse(json) as { readonly data: { readonly row_id: number } },
    );
    for (const event of events) assertDocumentedEvent(null, event);
    expect(events.map(({ data }) => data.row_id)).toEqual([2, 3, 9]);
  });
});

test('the topic rule_hits has no built-in author', async () => {
  const { host } = await serving();
  const { ask } = await connect(host);
  for (const author of ['built_in', 'built_in,account']) {
    const answer = await ask({
      op: 'subscribe',
      id: author,
      topic: 'rule_hits',
      params: { author },
    });
    expect(answer).toMatchObject({ op: 'error', code: 422 });
    expect(String(answer?.message)).toMatch(/author/);
  }
});
