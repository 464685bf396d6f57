import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { percentile } from './live-statistics.ts';
import { fixed, integer, printTable } from './table.ts';
import type { TopicClientFigures } from './topic-clients.ts';
import type { TopicServerFigures } from './topic-server.ts';

const SERVER = fileURLToPath(new URL('./topic-server.ts', import.meta.url));
const CLIENTS = fileURLToPath(new URL('./topic-clients.ts', import.meta.url));
const SLOTS = 150;
/** Waiting time after the last slot. */
const LATE_MS = 5_000;
const MEBIBYTE = 2 ** 20;

/**
 * Clients of the filtered stream with 20 subscriptions each, to pools out of a thousand, at five
 * slots a second: the delay of a message from the application of the slot to its arrival, and the
 * bytes that a client receives by what it asked for. Each slot trades once in each of some pools.
 * Clients use processors too: on a machine with few, much of the delay is theirs.
 */
export async function benchTopics(clients: number): Promise<void> {
  const rows: string[][] = [];
  for (const [subscriptions, pools] of [
    [20, 20],
    [20, 100],
    [5, 100],
  ] as const) {
    rows.push(await load({ clients, subscriptions, pools }));
  }
  printTable('Filtered stream at 5 slots/s, ms from the slot to receipt', [
    [
      'clients',
      'each',
      'trades/slot',
      'messages/s',
      'p50',
      'p99',
      'max',
      'KB/client',
      'closed',
      'server',
    ],
    ...rows,
  ]);
}

interface Load {
  readonly clients: number;
  readonly subscriptions: number;
  /** Pools that each slot trades in. */
  readonly pools: number;
}

async function load({ clients, subscriptions, pools }: Load): Promise<string[]> {
  const server = fork(SERVER, [], { serialization: 'advanced' });
  const { port } = await message<{ port: number }>(server);
  const child = fork(CLIENTS, [clients, subscriptions, port].map(String), {
    serialization: 'advanced',
  });
  await message(child);
  const finished = message<TopicServerFigures>(server);
  server.send({ slots: SLOTS, pools });
  const { processorShare, peakBytes } = await finished;
  await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  const answer = message<TopicClientFigures>(child);
  child.send('end');
  const { latenciesMs, bytes, closed } = await answer;
  server.kill();
  return [
    integer(clients),
    integer(subscriptions),
    integer(pools),
    integer(Math.round((latenciesMs.length * 5) / SLOTS)),
    ...[0.5, 0.99, 1].map((share) => fixed(percentile(latenciesMs, share), 0)),
    fixed(bytes / clients / 1_000, 1),
    integer(closed),
    `${fixed(100 * processorShare, 0)} % of a processor, ${fixed(peakBytes / MEBIBYTE, 0)} MiB`,
  ];
}

function message<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once('message', (said) => resolve(said as Message));
    child.once('exit', (code) => reject(new Error(`a process of the bench ended with ${code}`)));
  });
}
