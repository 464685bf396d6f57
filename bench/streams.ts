import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { percentile } from './live-statistics.ts';
import type { ClientFigures } from './stream-clients.ts';
import type { ServerFigures } from './stream-server.ts';
import { fixed, integer, printTable } from './table.ts';

const SERVER = fileURLToPath(new URL('./stream-server.ts', import.meta.url));
const CLIENTS = fileURLToPath(new URL('./stream-clients.ts', import.meta.url));
const SLOTS = 150;
/** Waiting time after the last slot. */
const LATE_MS = 10_000;
const MEBIBYTE = 2 ** 20;

/**
 * 2,000 WebSocket and 500 gRPC clients of the market stream at five slots a second: the delay of a
 * message from the publication of the slot to its arrival at the client. Clients use processors
 * too: on a machine with few, much of the delay is theirs.
 */
export async function benchStreams(): Promise<void> {
  const rows: string[][] = [];
  for (const pools of [10, 50]) rows.push(...(await load(pools, 2_000, 500)));
  printTable('Market stream at 5 slots/s, ms from publication to receipt', [
    ['clients', 'pools/slot', 'p50', 'p99', 'max', 'least of all got', 'closed', 'server'],
    ...rows,
  ]);
}

async function load(pools: number, sockets: number, calls: number): Promise<string[][]> {
  const server = fork(SERVER, [], { serialization: 'advanced' });
  const { port, grpcPort } = await message<{ port: number; grpcPort: number }>(server);
  const kinds = [
    ['ws', sockets, port],
    ['grpc', calls, grpcPort],
  ] as const;
  const clients: ChildProcess[] = [];
  for (const [kind, count, at] of kinds) {
    const given = [kind, count, at, SLOTS].map(String);
    const child = fork(CLIENTS, given, { serialization: 'advanced' });
    await message(child);
    clients.push(child);
  }
  const whole = Promise.all(clients.map((child) => message(child)));
  const finished = message<ServerFigures>(server);
  server.send({ slots: SLOTS, pools });
  const figures = await finished;
  await Promise.race([whole, new Promise((resolve) => setTimeout(resolve, LATE_MS))]);
  const rows: string[][] = [];
  for (const [index, child] of clients.entries()) {
    const answer = answerOf(child);
    child.send('end');
    const [kind = 'ws', count = 0] = kinds[index] ?? [];
    rows.push(rowOf(`${integer(count)} ${kind}`, pools, await answer, figures));
  }
  server.kill();
  return rows;
}

function rowOf(
  clients: string,
  pools: number,
  { latenciesMs, leastMessages, closed }: ClientFigures,
  { processorShare, peakBytes, steadyBytes }: ServerFigures,
): string[] {
  const processor = `${fixed(100 * processorShare, 0)} % of a processor`;
  const memory = `${fixed(steadyBytes / MEBIBYTE, 0)} → ${fixed(peakBytes / MEBIBYTE, 0)} MiB`;
  return [
    clients,
    integer(pools),
    ...[0.5, 0.99, 1].map((share) => fixed(percentile(latenciesMs, share), 0)),
    `${integer(leastMessages)} of ${SLOTS}`,
    integer(closed),
    `${processor}, ${memory}`,
  ];
}

function message<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once('message', (said) => resolve(said as Message));
    child.once('exit', (code) => reject(new Error(`a process of the bench ended with ${code}`)));
  });
}

/** The last message, after any others. */
function answerOf(child: ChildProcess): Promise<ClientFigures> {
  return new Promise((resolve) => {
    child.on('message', (said) => {
      if (typeof said === 'object') resolve(said as ClientFigures);
    });
  });
}
