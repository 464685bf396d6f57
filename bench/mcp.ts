import { Agent, request } from 'node:http';
import { type DemoMarket, openDemoMarket } from '../scripts/openapi/demo-market.ts';
import { listCandidates } from '../scripts/openapi/list-candidates.ts';
import { estimateTokens } from '../src/api/mcp/answer/estimate-tokens.ts';
import { TOOLS } from '../src/api/mcp/tools/registry.ts';
import { fixed, integer, printTable } from './table.ts';

/** Calls of each tool, after one call with each of its arguments. */
const CALLS = 100;
/** Names of each kind that tools are asked about. */
const NAMES_MAX = 40;

interface Answered {
  readonly ms: number;
  readonly tokens: number;
  readonly isError: boolean;
}

/**
 * Time and length of the answers of each tool over HTTP, one call after the other, on the demo market.
 * Service, store and caller share one process, whose processor time for a call is shown, too.
 */
export async function benchMcp(): Promise<void> {
  const market = await openDemoMarket(() => undefined);
  const { origin, key } = await market.listen();
  const agent = new Agent({ keepAlive: true });
  const given = await argumentsOf(market);
  const rows: string[][] = [];
  const all: number[] = [];
  for (const { name } of TOOLS) {
    const asked = given[name] ?? [{}];
    const call = (at: number) =>
      callOver({ origin, key, agent }, name, asked[at % asked.length] ?? {});
    for (let at = 0; at < asked.length; at++) await call(at);
    const answers: Answered[] = [];
    const before = process.cpuUsage();
    for (let at = 0; at < CALLS; at++) answers.push(await call(at));
    const { user, system } = process.cpuUsage(before);
    const busyMs = fixed((user + system) / 1_000 / CALLS, 1);
    const times = answers.map(({ ms }) => ms);
    all.push(...times);
    const tokens = answers.map((one) => one.tokens);
    const errors = answers.filter(({ isError }) => isError).length;
    if (errors > 0) throw new Error(`${name} refused ${errors} calls: they are no measurement`);
    rows.push([name, integer(asked.length), busyMs, ...timesOf(times), ...lengthsOf(tokens)]);
  }
  rows.push(['all', '', '', ...timesOf(all), '', '']);
  agent.destroy();
  await market.close();
  printTable(`Answers to agents at /mcp, ${CALLS} calls of each tool, ms and estimated tokens`, [
    ['tool', 'arguments', 'processor', 'p50', 'p99', 'max', 'tokens p50', 'tokens max'],
    ...rows,
  ]);
}

async function argumentsOf(market: DemoMarket): Promise<Record<string, object[]>> {
  const names = await listCandidates(market);
  const some = (name: string) => (names[name] ?? []).slice(0, NAMES_MAX);
  const tokens = some('token_address').map((token_address) => ({ token_address }));
  const wallets = some('address');
  return {
    search: ['a', 'hamster', 'penguin', 'turbo', ...wallets.slice(0, 4)].map((query) => ({
      query,
    })),
    explain_token: tokens,
    check_fraud: tokens,
    verify_finding: some('id').map((finding_id) => ({ finding_id })),
    token_holders: tokens,
    explain_wallet: wallets.map((wallet_address) => ({ wallet_address })),
    compare_wallets: wallets.slice(1).map((second_address, at) => ({
      first_address: wallets[at],
      second_address,
    })),
    recent_changes: [{}],
    signals: [{ hours: 24 }],
    token_posts: await followed(market, tokens),
    data_status: [{}],
  };
}

/** Those whose posts are collected: of others there is a refusal, which costs nothing. */
async function followed(
  market: DemoMarket,
  tokens: readonly { readonly token_address: string }[],
): Promise<object[]> {
  const known: object[] = [];
  for (const token of tokens) {
    const url = `/v1/socials/summary?token_address=${token.token_address}`;
    if ((await market.ask('GET', url)).status === 200) known.push(token);
  }
  if (known.length === 0) throw new Error('no token of the demo market has posts');
  return known;
}

interface Target {
  readonly origin: string;
  readonly key: string;
  readonly agent: Agent;
}

function callOver({ origin, key, agent }: Target, name: string, given: object): Promise<Answered> {
  const params = { name, arguments: given };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-11-25',
  };
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/mcp`, { method: 'POST', agent, headers }, async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('');
      const ms = performance.now() - startMs;
      const { result } = JSON.parse(text);
      resolve({ ms, tokens: estimateTokens(result.content[0].text), isError: result.isError });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

function timesOf(times: readonly number[]): string[] {
  return [0.5, 0.99, 1].map((share) => fixed(quantile(times, share), 1));
}

function lengthsOf(tokens: readonly number[]): string[] {
  return [0.5, 1].map((share) => integer(quantile(tokens, share)));
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
