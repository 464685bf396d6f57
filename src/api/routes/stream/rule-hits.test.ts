import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { buildRuleHit } from '../../../../tests/support/build-rule-hit.ts';
import { address } from '../../../../tests/support/build-transaction.ts';
import { READ_KEY, WRITE_KEY } from '../../../../tests/support/fake-api-deps.ts';
import { assertDocumentedEvent } from '../../../../tests/support/stream-conformance.ts';
import { refusalOf } from '../../../../tests/support/stream-reader.ts';
import { connectTo, servingTopics } from '../../../../tests/support/topic-stream.ts';
import { OPERATOR } from '../../../model/rule-change.ts';
import type { RuleHitListing } from '../../../model/rule-listing.ts';

const OTHER_HASH = 'fedcba9876543210'.repeat(4);
const servers: FastifyInstance[] = [];
const requests: ClientRequest[] = [];

afterEach(async () => {
  for (const request of requests.splice(0)) request.destroy();
  for (const server of servers.splice(0)) await server.close();
});

async function serving() {
  const { host, take } = await servingTopics(servers);
  const takeHits = (slot: number, hits: readonly Partial<RuleHitListing>[], isUndone = false) =>
    take(
      slot,
      hits.map((hit) => ({ topic: 'rule_hits', hit: buildRuleHit(hit) })),
      isUndone,
    );
  return { host, take: takeHits };
}

const connect = (host: string) => connectTo(host, 'rule_hits');

const subscribe = { op: 'subscribe', id: 'hits', topic: 'rule_hits' };

const OWN = { rowId: 1 };
const OF_OPERATOR = { rowId: 2, author: OPERATOR };
const OF_OTHERS = { rowId: 3, author: 'account of writer' };

describe('the topic rule_hits', () => {
  test('sends hits of the account and of the operator, marked by author, in the shape of their list', async () => {
    const { host, take } = await serving();
    const { ask, reader, received } = await connect(host);
    expect(await ask(subscribe)).toMatchObject({ op: 'ack' });
    take(20, [OWN, OF_OPERATOR]);
    expect(await received()).toEqual([1, 2]);
    expect(reader.messages.filter(({ topic }) => topic === 'rule_hits')).toMatchObject([
      {
        ...{ id: 'hits', slot: 20 },
        data: {
          rule_id: 'dip@1+0123456789abcdef',
          author: 'account',
          kind: 'alert',
          token_address: address('mint'),
          pair_address: address('pool'),
          created_at: '1970-01-01T00:20:00.000Z',
          as_of_slot: 19,
          confidence: 0.75,
          reasons: ['Organic wallets bought most.'],
          evidence: [{ name: 'window.return_5m', value: -0.25 }],
          price_usd: '2.5',
          outcome: null,
        },
      },
      { data: { author: 'operator' } },
    ]);
  });

  test('sends nothing of a rule of another account, also when it is asked for by its ID', async () => {
    const { host, take } = await serving();
    const { ask, received } = await connect(host);
    await ask(subscribe);
    const id = `dip@1+${OTHER_HASH.slice(0, 16)}`;
    const asked = await ask({ ...subscribe, id: 'id', params: { rule_id: id, author: 'account' } });
    expect(asked).toMatchObject({ op: 'ack' });
    take(20, [OF_OTHERS, { ...OF_OTHERS, rowId: 4, hash: OTHER_HASH }]);
    expect(await received()).toEqual([]);
  });

  test.each<[string, object, readonly number[]]>([
    ['the account', { author: 'account' }, [1, 3, 4, 5]],
    ['the operator', { author: 'operator' }, [2]],
    ['a name', { rule_id: 'dip' }, [1, 2, 3, 5]],
    ['one version', { rule_id: `dip@2+${OTHER_HASH.slice(0, 16)}` }, [3]],
    ['a token', { token_address: address('other') }, [5]],
    [
      'a name, an author and a token',
      { ...{ rule_id: 'dip', author: 'operator' }, token_address: address('mint') },
      [2],
    ],
    ['a rule that nobody has published', { rule_id: 'nobody' }, []],
  ])('is filtered by %s', async (_, params, expected) => {
    const { host, take } = await serving();
    const { ask, received } = await connect(host);
    expect(await ask({ ...subscribe, params })).toMatchObject({ op: 'ack' });
    take(20, [
      OWN,
      OF_OPERATOR,
      { rowId: 3, version: 2, hash: OTHER_HASH },
      { rowId: 4, name: 'rise' },
      { rowId: 5, mint: address('other') },
    ]);
    expect(await received()).toEqual(expected);
  });

  test.each([
    [{ rule_id: 'Not A Name' }, /rule_id/],
    [{ rule_id: 'dip@1' }, /rule_id/],
    [{ rule_id: 'a'.repeat(101) }, /rule_id/],
    [{ author: 'account of writer' }, /author/],
    [{ token_address: 'x' }, /token_address/],
    [{ account: 'account of writer' }, /account/],
  ])('refuses %j', async (params, message) => {
    const { host } = await serving();
    const { ask } = await connect(host);
    const answer = await ask({ ...subscribe, params });
    expect(answer).toMatchObject({ op: 'error', id: 'hits' });
    expect(String(answer?.message)).toMatch(message);
  });

  test('takes back the hits of a slot that a fork abandons, the last first, with their data', async () => {
    const { host, take } = await serving();
    const { ask, reader, received } = await connect(host);
    await ask(subscribe);
    take(20, [OWN, OF_OPERATOR]);
    take(20, [OWN, OF_OPERATOR], true);
    take(20, [{ rowId: 1, confidence: 0.5 }]);
    expect(await received()).toEqual([1, 2, -2, -1, 1]);
    const data = reader.messages
      .filter(({ topic }) => topic === 'rule_hits')
      .map((one) => one.data);
    expect(data[3]).toEqual(data[0]);
    expect(data[4]).toMatchObject({ confidence: 0.5 });
  });

  test('resumes after a message with the hits of both authors in their order', async () => {
    const { host, take } = await serving();
    const first = await connect(host);
    await first.ask(subscribe);
    take(20, [OWN]);
    expect(await first.received()).toEqual([1]);
    const seq = first.reader.messages.find(({ topic }) => topic === 'rule_hits')?.seq;
    await first.reader.close();
    take(21, [OF_OPERATOR, OF_OTHERS, { rowId: 4 }]);
    take(22, [{ ...OF_OPERATOR, rowId: 5 }]);
    take(22, [{ ...OF_OPERATOR, rowId: 5 }], true);
    const second = await connect(host);
    await second.ask({ ...subscribe, since: seq });
    expect(await second.received()).toEqual([2, 4, 5, -5]);
    expect(second.reader.messages.filter(({ op }) => op === 'gap')).toEqual([]);
  });

  test('resumes a long absence in steps without a hit twice or out of order', async () => {
    const { host, take } = await serving();
    const first = await connect(host);
    const ack = await first.ask(subscribe);
    await first.reader.close();
    const numbers = Array.from({ length: 300 }, (_, at) => at + 1);
    for (const rowId of numbers) {
      take(rowId, [{ rowId, author: rowId % 7 < 2 ? OPERATOR : 'account of reader' }]);
    }
    const second = await connect(host);
    await second.ask({ ...subscribe, since: ack?.seq });
    expect(await second.received()).toEqual(numbers);
  });

  test('reports a gap after a position that the service no longer has', async () => {
    const { host } = await serving();
    const { ask, reader } = await connect(host);
    await ask({ ...subscribe, since: 5 });
    expect((await reader.until(3))[2]).toMatchObject({ op: 'gap', id: 'hits', from_seq: 6 });
  });

  test('goes on when the rule is withdrawn, and sends hits of its next version', async () => {
    const { host, take } = await serving();
    const { ask, received } = await connect(host);
    await ask({ ...subscribe, params: { rule_id: 'dip' } });
    take(20, [OWN]);
    // Withdrawn: slots pass without its hits, and a fork still takes the old one back.
    take(21, [{ rowId: 2, name: 'rise' }]);
    take(21, [{ rowId: 2, name: 'rise' }], true);
    take(20, [OWN], true);
    take(22, [{ rowId: 3, version: 2, hash: OTHER_HASH }]);
    expect(await received()).toEqual([1, -1, 3]);
  });

  test('sends nothing after unsubscribing', async () => {
    const { host, take } = await serving();
    const { ask, received } = await connect(host);
    await ask(subscribe);
    await ask({ op: 'unsubscribe', id: 'hits' });
    take(20, [OWN, OF_OPERATOR]);
    expect(await received()).toEqual([]);
  });

  test('is sent as server-sent events, from the last one that was received', async () => {
    const { host, take } = await serving();
    const open = async (headers: Record<string, string> = {}) => {
      const url = `http://${host}/v1/stream/sse?topic=rule_hits&rule_id=dip`;
      const request = get(url, { headers: { 'x-api-key': READ_KEY, ...headers } });
      requests.push(request);
      const response = await new Promise<IncomingMessage>((resolve) =>
        request.once('response', resolve),
      );
      const stream = { text: '' };
      response.setEncoding('utf8');
      response.on('error', () => undefined);
      response.on('data', (chunk: string) => {
        stream.text += chunk;
      });
      return stream;
    };
    const events = ({ text }: { readonly text: string }) =>
      [...text.matchAll(/^id: (\d+)\ndata: (.*"topic".*)$/gm)].map(([, id = '', json = '']) => {
        const data = JSON.parse(json) as { readonly data: { readonly row_id: number } };
        assertDocumentedEvent(null, data);
        return { id, rowId: data.data.row_id };
      });
    const first = await open();
    await vi.waitFor(() => expect(first.text).toContain('event: ack'));
    take(20, [OWN, OF_OTHERS, { rowId: 4, name: 'rise' }]);
    take(21, [OF_OPERATOR]);
    await vi.waitFor(() => expect(events(first).map(({ rowId }) => rowId)).toEqual([1, 2]));
    const second = await open({ 'last-event-id': events(first)[0]?.id ?? '' });
    await vi.waitFor(() => expect(events(second).map(({ rowId }) => rowId)).toEqual([2]));
  });

  test('is refused to a key that may not read', async () => {
    const { host } = await serving();
    expect(await refusalOf(`ws://${host}/v1/stream`, { 'x-api-key': WRITE_KEY })).toMatchObject({
      status: 403,
    });
  });
});
