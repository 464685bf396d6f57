import { type ChildProcess, fork } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { poolNumber } from './hot-read-rows.ts';
import type { ServerRequest, ServerStarted } from './hot-read-server.ts';

const SERVER = fileURLToPath(new URL('./hot-read-server.ts', import.meta.url));
const CONNECTIONS = 32;
/** Answers differ by a few digits of their counters and addresses. */
const LENGTH_DIFFERENCE_MAX = 24;

export interface HotRead {
  /** Median over the rounds. */
  readonly requestsPerSecond: number;
  /** Minimum over the rounds: disturbances can only add to it. */
  readonly cpuMicrosPerRequest: number;
}

export interface HotReadComparison {
  readonly bare: HotRead;
  readonly kept: HotRead;
  readonly made: HotRead;
}

/**
 * Loads the three servers in turns over kept-alive connections, `rounds` times `roundMs` each, after
 * one round to warm up. The processor time of each server includes its threads, and the load
 * generator cannot disturb it.
 */
export async function measureHotRead(
  pools: number,
  { rounds, roundMs }: { readonly rounds: number; readonly roundMs: number },
): Promise<HotReadComparison> {
  const kept = await startServer({ kind: 'kept', pools, answer: '' });
  const made = await startServer({ kind: 'made', pools, answer: '' });
  const bare = await startServer({ kind: 'bare', pools, answer: await readAnswer(kept) });
  const servers = { bare, kept, made };
  const turns: HotReadComparison[] = [];
  for (let round = 0; round <= rounds; round++) {
    turns.push({
      bare: await load(bare, pools, roundMs),
      kept: await load(kept, pools, roundMs),
      made: await load(made, pools, roundMs),
    });
  }
  for (const { child } of Object.values(servers)) child.kill();
  const of = (name: keyof HotReadComparison) => summarise(turns.slice(1).map((turn) => turn[name]));
  return { bare: of('bare'), kept: of('kept'), made: of('made') };
}

interface Running extends ServerStarted {
  readonly child: ChildProcess;
}

async function startServer(request: ServerRequest): Promise<Running> {
  const child = fork(SERVER, { serialization: 'advanced' });
  child.send(request);
  const started = (await nextMessage(child)) as ServerStarted;
  return { child, ...started };
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('message', resolve));
}

function requestOf(key: string, number: number): string {
  return (
    `GET /v1/indicators/current?pair_address=${poolNumber(number)} HTTP/1.1\r\n` +
    `Host: localhost\r\nX-API-Key: ${key}\r\n\r\n`
  );
}

function readAnswer({ port, key }: Running): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(requestOf(key, 0)));
    socket.once('error', reject);
    socket.once('data', (bytes) => {
      socket.destroy();
      resolve(bytes.toString('latin1'));
    });
  });
}

async function load(server: Running, pools: number, roundMs: number): Promise<HotRead> {
  const { child, port, key } = server;
  const lengthMin = (await readAnswer(server)).length - LENGTH_DIFFERENCE_MAX;
  const requests = Array.from({ length: pools }, (_, number) => requestOf(key, number));
  let sent = 0;
  let answered = 0;
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const ask = () => socket.write(requests[sent++ % pools] ?? '');
    const socket = connect(port, '127.0.0.1', ask);
    let pendingBytes = 0;
    socket.on('data', (chunk) => {
      pendingBytes += chunk.length;
      if (pendingBytes < lengthMin) return;
      pendingBytes = 0;
      answered++;
      ask();
    });
    return socket;
  });
  const before = { answered, cpuMicros: await askCpuMicros(child), at: performance.now() };
  await new Promise((resolve) => setTimeout(resolve, roundMs));
  const seconds = (performance.now() - before.at) / 1_000;
  const count = answered - before.answered;
  const cpuMicros = (await askCpuMicros(child)) - before.cpuMicros;
  for (const socket of sockets) socket.destroy();
  return { requestsPerSecond: count / seconds, cpuMicrosPerRequest: cpuMicros / count };
}

async function askCpuMicros(child: ChildProcess): Promise<number> {
  child.send('cpu');
  return Number(await nextMessage(child));
}

function summarise(turns: readonly HotRead[]): HotRead {
  return {
    requestsPerSecond: median(turns.map((turn) => turn.requestsPerSecond)),
    cpuMicrosPerRequest: Math.min(...turns.map((turn) => turn.cpuMicrosPerRequest)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
