import { describe, expect, it } from 'vitest';
import { parseEndpoints } from './endpoint.ts';
import { type Attempt, RetryingNodes } from './retrying-nodes.ts';
import { codeFailure, type RpcFailure, transportFailure } from './rpc-failure.ts';
import type { RpcNode } from './rpc-node.ts';

const SKIPPED = codeFailure(-32007, 'skipped');
const PRUNED = codeFailure(-32001, 'pruned');
const CUT = transportFailure('connection', 'cut');

/** Two nodes and a clock that advances with each wait; no real request is sent. */
function twoNodes(signal?: AbortSignal) {
  const parsed = parseEndpoints('http://one.example/,http://two.example/');
  if (parsed.status === 'refused') throw new Error(parsed.message);
  let timeMs = 0;
  const clock = {
    nowMs: () => timeMs,
    sleep: async (ms: number) => {
      timeMs += ms;
    },
  };
  const random = () => 0.5;
  const tuning = { giveUpAfterMs: 1_000, outageGiveUpAfterMs: 5_000, requestsPerSecond: 100 };
  const { endpoints } = parsed;
  const options = { endpoints, tuning, clock, random, ...(signal !== undefined && { signal }) };
  return { nodes: new RetryingNodes(options), timeMs: () => timeMs };
}

function failing(failure: RpcFailure): Attempt<never> {
  return { status: 'failed', failure };
}

describe('a request to retrying nodes', () => {
  it('goes to the next node when the first one fails, and ends with the first answer', async () => {
    const tried: string[] = [];
    const answer = await twoNodes().nodes.ask(async ({ label }): Promise<Attempt<number>> => {
      tried.push(label);
      return label === 'one.example' ? failing(CUT) : { status: 'ok', value: 7 };
    });
    expect(answer).toEqual({ status: 'ok', value: 7 });
    expect(tried).toEqual(['one.example', 'two.example']);
  });

  it('is denied at once when every node has pruned the result', async () => {
    const { nodes, timeMs } = twoNodes();
    const answer = await nodes.ask(async () => failing(PRUNED));
    expect(answer).toMatchObject({ status: 'denied', failure: { name: 'rpc -32001' } });
    expect(timeMs()).toBe(0);
  });

  it('is denied only after a while when nodes report that there is none: they may not have it yet', async () => {
    const { nodes, timeMs } = twoNodes();
    let times = 0;
    const attempt = async () => {
      times++;
      return failing(SKIPPED);
    };
    expect(await nodes.ask(attempt)).toMatchObject({ status: 'denied' });
    expect(timeMs()).toBeGreaterThanOrEqual(1_000);
    expect(times).toBeGreaterThan(4);
  });

  it('is answered by a node that gets the result in the meantime', async () => {
    const { nodes, timeMs } = twoNodes();
    const attempt = async (): Promise<Attempt<string>> =>
      timeMs() < 600 ? failing(SKIPPED) : { status: 'ok', value: 'late' };
    expect(await nodes.ask(attempt)).toEqual({ status: 'ok', value: 'late' });
  });

  it('is not denied by one node while the other does not answer, but ends as an outage', async () => {
    const { nodes, timeMs } = twoNodes();
    const attempt = async ({ label }: RpcNode) => failing(label === 'one.example' ? SKIPPED : CUT);
    expect(await nodes.ask(attempt)).toMatchObject({ status: 'outage' });
    expect(timeMs()).toBeGreaterThanOrEqual(5_000);
  });

  it('ends with the signal', async () => {
    const stopping = new AbortController();
    const { nodes } = twoNodes(stopping.signal);
    const answer = await nodes.ask(async () => {
      stopping.abort();
      return failing(CUT);
    });
    expect(answer).toEqual({ status: 'stopped' });
  });
});
