import { failureAdvice } from '../../chain/rpc/nodes/failure-advice.ts';
import type { RpcResult } from '../../chain/rpc/nodes/rpc-node.ts';
import { type Finding, fail, ok, type Verdict, warn } from './finding.ts';
import { clockOffsetMs, type NodeDate } from './node-date.ts';
import type { BlockFacts, BurstFacts, MoreNodeFacts, NodeFacts } from './node-facts.ts';

const LATENCY_WARN_MS = 1_000;
const CLOCK_WARN_MS = 2_000;
/** Rates, times and ages of responses would all be wrong. */
const CLOCK_FAIL_MS = 60_000;
/** The chain's own time is an estimate that may be off by seconds. */
const BLOCK_AGE_WARN_MS = 120_000;
/** Minimum history of nodes that keep enough to refill gaps from. */
const HISTORY_WARN_SLOTS = 1_000;

const CLUSTERS: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet-beta',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
};

/** Judges the answers of a node. `nowMs` is the clock of this machine, since 1970. */
export function judgeNode({ label, version, date, more }: NodeFacts, nowMs: number): Finding[] {
  const verdicts =
    more === null
      ? [judgeUnreachable(version), ...(date === null ? [] : [judgeClock(date)])]
      : [
          judgeAnswer('version', version, (text) => ok('version', `runs ${text}`)),
          judgeAnswer('health', more.health, judgeHealth),
          judgeAnswer('network', more.genesisHash, judgeNetwork),
          judgeHistory(more),
          ...judgeBlock(more.block, nowMs),
          judgeLatency(more.latencyMs),
          judgeClock(date),
          judgeBurst(more.burst),
        ];
  return verdicts.map((verdict) => ({ ...verdict, subject: label }));
}

function judgeUnreachable(version: RpcResult<string>): Verdict {
  if (version.status === 'ok') return ok('reachable', 'answers');
  const { name, message } = version.failure;
  const advice =
    failureAdvice(version.failure) ?? 'Check the address, and that this machine may reach it.';
  return fail('reachable', `${message} (${name})`, advice);
}

function judgeAnswer<Result>(
  check: string,
  answer: RpcResult<Result>,
  judge: (result: Result) => Verdict,
): Verdict {
  if (answer.status === 'ok') return judge(answer.result);
  const { message, name } = answer.failure;
  const advice = failureAdvice(answer.failure) ?? 'Add a second node.';
  return warn(check, `unknown: ${message} (${name})`, advice);
}

function judgeHealth(text: string): Verdict {
  if (text === 'ok') return ok('health', 'reports ok');
  return warn('health', `reports "${text}"`, 'Add a second node.');
}

function judgeNetwork(genesisHash: string): Verdict {
  const cluster = CLUSTERS[genesisHash];
  if (cluster === 'mainnet-beta') return ok('network', cluster);
  const network = cluster ?? `no public cluster (genesis ${genesisHash})`;
  const advice = 'All figures will be of that chain; never mix chains in one data folder.';
  return warn('network', network, advice);
}

function judgeHistory({ firstSlot, finalSlot }: MoreNodeFacts): Verdict {
  return judgeAnswer('history', firstSlot, (first) =>
    judgeAnswer('history', finalSlot, (final) => {
      const slots = final - first + 1;
      const message = `reaches back ${slots} slots, to ${first}`;
      if (slots >= HISTORY_WARN_SLOTS) return ok('history', message);
      const advice = 'A stop longer than that leaves a gap: add a node that keeps more.';
      return warn('history', message, advice);
    }),
  );
}

function judgeBlock(block: BlockFacts | null, nowMs: number): Verdict[] {
  if (block === null) {
    return [fail('block', 'the newest final slot is unknown', 'Use another node.')];
  }
  const { slot, encoding, fetched } = block;
  if (fetched.status === 'failed') {
    const { message, name } = fetched.failure;
    const advice =
      failureAdvice(fetched.failure) ??
      'Use a node that returns whole blocks with transaction versions up to 1 (getBlock).';
    return [fail('block', `slot ${slot} is not available: ${message} (${name})`, advice)];
  }
  const { item } = fetched.result;
  const { transactions, blockTimeMs } = item.kind === 'block' ? item.block : item.facts;
  const message = `slot ${slot} in ${encoding} with versions up to 1, ${transactions.length} transactions without votes`;
  const advice = 'JSON is several times larger: base64 would be faster.';
  return [
    encoding === 'base64' ? ok('block', message) : warn('block', message, advice),
    ...(blockTimeMs === null ? [] : [judgeBlockAge(nowMs - blockTimeMs)]),
  ];
}

function judgeBlockAge(ageMs: number): Verdict {
  const side = ageMs < 0 ? 'ahead of' : 'behind';
  const message = `the newest final block is ${secondsOf(Math.abs(ageMs))} ${side} this clock`;
  if (Math.abs(ageMs) <= BLOCK_AGE_WARN_MS) return ok('age', message);
  return warn('age', message, 'The node is behind, this clock is wrong, or the chain has halted.');
}

function judgeLatency(latencyMs: number): Verdict {
  const message = `answers in ${Math.round(latencyMs)} ms`;
  if (latencyMs <= LATENCY_WARN_MS) return ok('latency', message);
  return warn('latency', message, 'A closer node would reduce the delay.');
}

/** Compares the clock of this machine with the node's; null if the node does not report its time. */
export function judgeClock(date: NodeDate | null): Verdict {
  if (date === null) return ok('clock', 'the node does not report the time');
  const offsetMs = clockOffsetMs(date);
  const away = Math.abs(offsetMs);
  if (away <= CLOCK_WARN_MS) return ok('clock', 'agrees with the node to the second');
  const side = offsetMs > 0 ? 'ahead of' : 'behind';
  const message = `this clock is ${secondsOf(away)} ${side} the node's`;
  const advice = 'Synchronise the clock of this machine by NTP: data ages depend on it.';
  return away > CLOCK_FAIL_MS ? fail('clock', message, advice) : warn('clock', message, advice);
}

function judgeBurst({ sent, answered, failures, tookMs }: BurstFacts): Verdict {
  const took = `${answered} of ${sent} requests sent at once were answered in ${Math.round(tookMs)} ms`;
  if (answered === sent) return ok('rate', took);
  const why = Object.entries(failures).map(([name, count]) => `${count} ${name}`);
  const advice = 'Set --rpc-requests-per-second to what the provider allows.';
  return warn('rate', `${took} (${why.join(', ')})`, advice);
}

function secondsOf(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${seconds} s`;
  return seconds < 86_400
    ? `${Math.floor(seconds / 3_600)} h`
    : `${Math.floor(seconds / 86_400)} days`;
}
