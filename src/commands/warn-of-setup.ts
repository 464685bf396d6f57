import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config/config-settings.ts';
import { machineMemoryBytes } from '../lib/machine-memory.ts';
import { openFilesMax } from '../lib/open-files.ts';
import type { Verdict } from './doctor/finding.ts';
import { judgeStateMemory } from './doctor/judge-growth.ts';
import { judgeOpenFiles } from './doctor/judge-host.ts';
import { judgeClock } from './doctor/judge-node.ts';
import { judgeCertificate, judgeProxies } from './doctor/judge-setup.ts';
import { readNodeDate } from './doctor/node-date.ts';
import { proxyVariablesIn, readCertificate } from './doctor/setup-facts.ts';

const NODE_DATE_DEADLINE_MS = 5_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that can be wrong for a machine. */
interface Setup extends Pick<Config, 'grpcTlsCertFile' | 'rpcUrl'> {
  /** Bound of the state in memory; null or omitted where there is no state, or not for mainnet. */
  readonly stateMemoryBytes?: number | null;
}

/** Logs what `doctor` would find and the service would not notice, or too late to understand it. */
export function warnOfSetup(
  { grpcTlsCertFile, rpcUrl, stateMemoryBytes = null }: Setup,
  environment: Environment,
  logger: Pick<FastifyBaseLogger, 'warn'>,
  memoryBytes = machineMemoryBytes(),
): void {
  const proxies = rpcUrl === null ? [] : proxyVariablesIn(environment);
  warnOf(
    [
      judgeOpenFiles(openFilesMax()),
      ...(stateMemoryBytes === null ? [] : [judgeStateMemory({ memoryBytes, stateMemoryBytes })]),
      ...(grpcTlsCertFile === null
        ? []
        : [judgeCertificate(readCertificate(grpcTlsCertFile), Date.now())]),
      ...(proxies.length === 0 ? [] : [judgeProxies(proxies)]),
    ],
    logger,
  );
}

/** Compares the clock of this machine with that of the first node that reports its time, if any. */
export async function warnOfClock(
  { rpcUrl }: Pick<Config, 'rpcUrl'>,
  logger: FastifyBaseLogger,
): Promise<void> {
  // All at once, so that silent nodes before the first one do not delay the answer.
  const dates = await Promise.all(
    (rpcUrl ?? []).map((node) => readNodeDate(node, NODE_DATE_DEADLINE_MS)),
  );
  const date = dates.find((found) => found !== null);
  if (date !== undefined) warnOf([judgeClock(date)], logger);
}

function warnOf(verdicts: readonly Verdict[], logger: Pick<FastifyBaseLogger, 'warn'>): void {
  for (const { status, message, advice } of verdicts) {
    if (status !== 'ok') logger.warn(`${message}. ${advice}`);
  }
}
