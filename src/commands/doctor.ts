import { Command } from 'commander';
import { fetchYellowstoneVersion } from '../chain/yellowstone/fetch-version.ts';
import type { Config } from '../config/config-settings.ts';
import { logLengthMaxMs } from '../ingestion/log-retention.ts';
import { clickHouseServerOf } from '../service/clickhouse-server.ts';
import { stateMemoryBytesOf } from '../service/state-memory.ts';
import { readClickHouseFacts } from './doctor/clickhouse-facts.ts';
import { examineInterfaces } from './doctor/examine-interfaces.ts';
import { type Finding, findingLine } from './doctor/finding.ts';
import { readHostFacts } from './doctor/host-facts.ts';
import { judgeClickHouse } from './doctor/judge-clickhouse.ts';
import { judgeGrowth } from './doctor/judge-growth.ts';
import { judgeHost } from './doctor/judge-host.ts';
import { judgeNats } from './doctor/judge-nats.ts';
import { judgeNode } from './doctor/judge-node.ts';
import { judgeSetup } from './doctor/judge-setup.ts';
import { judgeYellowstone } from './doctor/judge-yellowstone.ts';
import { readNatsFacts } from './doctor/nats-facts.ts';
import { readNodeFacts } from './doctor/node-facts.ts';
import { readSetupFacts } from './doctor/setup-facts.ts';
import { isInUse, serviceFolder } from './service-folder.ts';
import { addSettings, settingsOf } from './settings.ts';

/** Timeout of one request. */
const DEADLINE_MS = 5_000;
/** Timeout of all requests to nodes. */
const ALL_MS = 20_000;
/** Timeout of fetching all interfaces, some of which are slow. */
const ALL_INTERFACES_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** More requests at once could be taken for an attack. */
const BURST_MAX = 50;

/** `doctor`: checks nodes and machine and reports problems. */
export function doctorCommand(): Command {
  const command = new Command('doctor')
    .description('Check the RPC nodes and this machine, with advice on problems.')
    .option('--idl', 'compare the on-chain interfaces of programs with the decoders')
    .option('--json', 'print the findings as one JSON line');
  return addSettings(command, false, [
    'yellowstoneUrl',
    'yellowstoneToken',
    'host',
    'port',
    'natsUrl',
    'natsStream',
    'natsOldServers',
    'clickhouseUrl',
    'clickhouseUser',
    'clickhousePassword',
    'clickhouseDatabase',
    'clickhouseCluster',
  ])
    .addHelpText(
      'after',
      `
Nothing is changed. For each node: reachability, version, health and network, length of its history,
a recent block as requested by the service, latency, clock, and whether it accepts as many
concurrent requests as --rpc-requests-per-second allows (at most 50). For this machine: data folder,
disk, memory, open files, runtime, ports, certificate of the gRPC port, proxies, and whether memory
and disk suffice for mainnet, for how long. For a Yellowstone server: whether it passes on
transactions of version 1. For NATS servers of several machines: version, limits, and copies and
retention of the stream. For a ClickHouse server: version, and shards, replicas, macros and keeper
of the cluster. Addresses of nodes are shown without their keys. The exit code is 1 if a check fails;
warnings leave it at 0.
With --idl, only programs are examined: the interface each keeps on the chain, with Anchor or the
Program Metadata program, is compared with what its decoder relies on, as \`idl diff\` does with a
file. The check fails if something would be missed or misread. Interfaces behind a URL or in another
account are not followed.

Examples:
  mintscope doctor --rpc-url https://rpc.example.com
  mintscope doctor --idl --rpc-url https://rpc.example.com
  mintscope doctor --json | jq '.findings[] | select(.status != "ok")'`,
    )
    .action(async (options: Readonly<Record<string, unknown>>) => {
      const config = settingsOf(options);
      const findings = options.idl === true ? await examineIdl(config) : await examine(config);
      const isHealthy = findings.every(({ status }) => status !== 'fail');
      const text = findings.map(findingLine).join('\n');
      const json = JSON.stringify({ is_healthy: isHealthy, findings });
      process.stdout.write(`${options.json === true ? json : text}\n`);
      if (!isHealthy) process.exitCode = 1;
    });
}

/** All findings: nodes in the configured order, the Yellowstone server, then this machine. */
export async function examine(
  config: Config,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<readonly Finding[]> {
  const facts = readHostFacts(config.dataDir);
  const { freeBytes, memoryBytes } = facts;
  const stateMemoryBytes = stateMemoryBytesOf(config.stateMemory);
  const { logRetention } = config;
  const logDaysMax = logRetention === null ? null : logLengthMaxMs(logRetention) / DAY_MS;
  const growth = judgeGrowth({ freeBytes, memoryBytes, stateMemoryBytes, logDaysMax });
  const setup = await readSetupFacts(config, environment);
  const isServing = isInUse(serviceFolder(config.dataDir));
  const host = [...judgeHost(facts), ...judgeSetup(setup, isServing, Date.now()), ...growth];
  const stream = [
    ...(await examineStream(config)),
    ...(await examineNats(config)),
    ...(await examineClickHouse(config)),
  ];
  if (config.rpcUrl === null) return [NO_NODE, ...stream, ...host];
  const questions = {
    deadlineMs: DEADLINE_MS,
    burst: Math.min(config.rpcRequestsPerSecond, BURST_MAX),
    signal: AbortSignal.timeout(ALL_MS),
  };
  const nodes = await Promise.all(config.rpcUrl.map((node) => readNodeFacts(node, questions)));
  const nowMs = Date.now();
  return [...nodes.flatMap((node) => judgeNode(node, nowMs)), ...stream, ...host];
}

async function examineStream({
  yellowstoneUrl: url,
  yellowstoneToken: token,
}: Config): Promise<readonly Finding[]> {
  if (url === null) return [];
  const answer = await fetchYellowstoneVersion({ url, token, deadlineMs: DEADLINE_MS });
  return [judgeYellowstone(new URL(url).host, answer)];
}

async function examineNats(config: Config): Promise<readonly Finding[]> {
  if (config.natsUrl === null) return [];
  const facts = await readNatsFacts(config.natsUrl, config.natsStream, DEADLINE_MS);
  return judgeNats(facts, config);
}

async function examineClickHouse(config: Config): Promise<readonly Finding[]> {
  const server = clickHouseServerOf(config);
  if (server === null) return [];
  const facts = await readClickHouseFacts(server, DEADLINE_MS);
  return judgeClickHouse(facts, config.clickhouseCluster);
}

/** One finding for each program with a layout. */
export async function examineIdl({ rpcUrl }: Config): Promise<readonly Finding[]> {
  if (rpcUrl === null) return [NO_NODE];
  const questions = { deadlineMs: DEADLINE_MS, signal: AbortSignal.timeout(ALL_INTERFACES_MS) };
  return await examineInterfaces(rpcUrl, questions);
}

const NO_NODE: Finding = {
  status: 'warn',
  subject: 'nodes',
  check: 'configured',
  message: 'no RPC node is configured',
  advice: 'Name one with --rpc-url to follow the chain.',
};
