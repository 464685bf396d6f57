/**
 * Reads per second from two replicas: asked directly, through one node of the role `api`, and through
 * two. Everything runs on this machine, so that nodes scale only as far as it has processors.
 *
 *   npm run bench:relay -- --seconds 5
 */
import { rmSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { answerHelp } from '../scripts/answer-help.ts';
import { RunningCommand, temporaryFolder } from '../tests/support/command-line.ts';

answerHelp(`Measures reads per second from two replicas: directly, through one node, through two.

  --seconds <number>  duration of each measurement; default 5
  --json              one JSON object

Example:
  npm run bench:relay -- --seconds 5`);

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
});
const KEY = 'relay-bench-bootstrap-key';
const CONNECTIONS = 32;
const POLL_MS = 100;
const started: RunningCommand[] = [];
const folders: string[] = [];

async function start(args: readonly string[]): Promise<string> {
  const command = new RunningCommand(['start', '--port', '0', ...args], {
    MINTSCOPE_BOOTSTRAP_KEY: KEY,
    MINTSCOPE_RATE_LIMIT_PER_MINUTE: '10000000',
    MINTSCOPE_RATE_LIMIT_BURST: '1000000',
    MINTSCOPE_OFFCHAIN: 'off',
  });
  started.push(command);
  const [, port] = await command.shows(/"port":(\d+)[^\n]*"msg":"listening"/, 120_000);
  const origin = `http://127.0.0.1:${port}`;
  while ((await fetch(`${origin}/readyz`)).status !== 200) await sleep(POLL_MS);
  return origin;
}

async function replica(): Promise<string> {
  const folder = temporaryFolder();
  folders.push(folder);
  return await start(['--simulate', '--data-dir', folder]);
}

/** Reads per second of a route through these addresses together. */
async function measure(origins: readonly string[], path: string): Promise<number> {
  const connections = CONNECTIONS / origins.length;
  const pools = origins.map((origin) => new Pool(origin, { connections }));
  const endMs = performance.now() + Number(values.seconds) * 1_000;
  let reads = 0;
  await Promise.all(
    pools.flatMap((pool) =>
      Array.from({ length: connections }, async () => {
        while (performance.now() < endMs) {
          const headers = { 'x-api-key': KEY };
          const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
          await body.arrayBuffer();
          if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}`);
          reads++;
        }
      }),
    ),
  );
  for (const pool of pools) await pool.close();
  return Math.round(reads / Number(values.seconds));
}

try {
  const replicas = [await replica(), await replica()];
  const node = () => start(['--role', 'api', '--replicas', replicas.join(',')]);
  const nodes = [await node(), await node()];
  const path = '/v1/key';
  await measure([...replicas, ...nodes], path);
  const direct = await measure(replicas, path);
  const one = await measure(nodes.slice(0, 1), path);
  const two = await measure(nodes, path);
  const [load = 0] = loadavg();
  const machine = { processors: cpus().length, load: Number(load.toFixed(1)) };
  const figures = { direct, one_node: one, two_nodes: two, ratio: Number((two / one).toFixed(2)) };
  if (values.json) console.log(JSON.stringify({ ...figures, ...machine }));
  else {
    console.log(
      `${machine.processors} processors, load ${machine.load}; reads per second of ${path}`,
    );
    console.log(`two replicas, directly  ${direct}`);
    console.log(`through one node        ${one}`);
    console.log(`through two nodes       ${two} (${figures.ratio} times)`);
  }
} finally {
  for (const { process } of started) process.kill('SIGKILL');
  for (const folder of folders.flatMap((one) => [one, `${one}-simulated`])) {
    rmSync(folder, { recursive: true, force: true });
  }
}
