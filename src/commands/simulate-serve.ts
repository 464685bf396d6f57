import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  CALM,
  type FaultSettings,
  parseFaults,
} from '../../simulator/faces/node/fault-settings.ts';
import { Faults } from '../../simulator/faces/node/faults.ts';
import { runChain } from '../../simulator/faces/node/run-chain.ts';
import { type ServedSimulation, SimulatedNode } from '../../simulator/faces/node/simulated-node.ts';
import { withYellowstone, YellowstoneFace } from '../../simulator/faces/node/yellowstone-face.ts';
import { PostServer } from '../../simulator/faces/web/post-server.ts';
import type { FeedEntry } from '../../simulator/posts/social-post.ts';
import { UsageError } from '../model/errors.ts';
import { wholeNumberOption } from './whole-number-option.ts';

/** Identifies the chain as simulated wherever a client checks the genesis hash. */
const GENESIS_HASH = 'SimuLatedMarketNotTheReaLChainxxxxxxxxxxxxx1';
const PORT_MAX = 65_535;
const SLOTS_MAX = 100_000;
const PACE_MAX = 1_000_000;

/** Options of `simulate --serve`. */
export interface ServeOptions {
  readonly serve?: boolean;
  readonly port: string;
  readonly pace: string;
  readonly window: string;
  readonly past: string;
  readonly faults?: string;
  readonly postsPort?: string;
  readonly yellowstonePort?: string;
}

export function addServeOptions(command: Command): Command {
  return command
    .option('--serve', 'serve the market as a node instead: JSON-RPC and WebSocket on 127.0.0.1')
    .option('--port <number>', 'with --serve: port, 0 for any free one', '8899')
    .option(
      '--pace <number>',
      'with --serve: market seconds per second; "max", or "asked" to advance by POST /advance only',
      '1',
    )
    .option('--window <slots>', 'with --serve: number of slots the node keeps', '300')
    .option('--past <slots>', 'with --serve: number of slots before the start', '64')
    .option('--posts-port <number>', 'with --serve: also serve posts, on this port')
    .option(
      '--yellowstone-port <number>',
      'with --serve: also stream blocks as a Yellowstone server, on this port',
    )
    .option('--faults <file>', 'with --serve: JSON file with faults, in the format of GET /faults');
}

export interface ServeRequest {
  readonly port: number;
  /** Infinity for maximum speed, 0 to advance on request only. */
  readonly pace: number;
  readonly windowSlots: number;
  readonly pastSlots: number;
  readonly faults: FaultSettings;
  /** Null if posts are not served. */
  readonly postsPort: number | null;
  /** Null if blocks are not streamed. */
  readonly yellowstonePort: number | null;
}

/** Throws UsageError naming the invalid option. */
export function serveRequestOf(options: ServeOptions): ServeRequest {
  return {
    port: wholeNumberOption('--port', options.port, 0, PORT_MAX),
    pace: paceOf(options.pace),
    windowSlots: wholeNumberOption('--window', options.window, 64, SLOTS_MAX),
    pastSlots: wholeNumberOption('--past', options.past, 0, SLOTS_MAX),
    faults: options.faults === undefined ? CALM : readFaults(options.faults),
    postsPort: portOf('--posts-port', options.postsPort),
    yellowstonePort: portOf('--yellowstone-port', options.yellowstonePort),
  };
}

/** Serves until the process is asked to stop. Throws UsageError if a port is unavailable. */
export async function serveSimulation(
  request: ServeRequest,
  market: TalkingSimulation,
): Promise<void> {
  const { windowSlots } = request;
  const faults = new Faults(request.faults);
  const posts = request.postsPort === null ? null : new PostServer();
  const stream =
    request.yellowstonePort === null
      ? null
      : new YellowstoneFace({ faults, window: { windowSlots } });
  const talking = withPosts(market, posts);
  const simulation = stream === null ? talking : withYellowstone(talking, stream);
  const node = new SimulatedNode({ simulation, genesisHash: GENESIS_HASH, windowSlots, faults });
  for (let passed = 0; passed < request.pastSlots; passed++) node.advance();
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  try {
    const port = await listen(node, request.port, '--port');
    const postsPort =
      posts === null ? null : await listen(posts, request.postsPort ?? 0, '--posts-port');
    const yellowstonePort =
      stream === null
        ? null
        : await listen(stream, request.yellowstonePort ?? 0, '--yellowstone-port');
    process.stdout.write(welcome(port, postsPort, yellowstonePort));
    if (request.pace > 0) await runChain(node, request.pace, stopping.signal);
    else await aborted(stopping.signal);
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, stop);
    await node.close();
    await posts?.close();
    stream?.close();
  }
}

/** A simulation with posts. */
export interface TalkingSimulation extends ServedSimulation {
  takePosts(): readonly FeedEntry[];
}

/** Wraps a market so that the posts of each slot are passed to the server. */
function withPosts(market: TalkingSimulation, server: PostServer | null): ServedSimulation {
  return {
    world: market.world,
    step() {
      const step = market.step();
      const entries = market.takePosts();
      server?.publish(entries.map(({ record }) => record));
      return step;
    },
  };
}

function welcome(port: number, postsPort: number | null, streamPort: number | null): string {
  const address = `127.0.0.1:${port}`;
  const posts = postsPort === null ? '' : `Posts      http://127.0.0.1:${postsPort}/posts\n`;
  const stream = streamPort === null ? '' : `Yellowstone  http://127.0.0.1:${streamPort}\n`;
  return `Simulated market, not the real chain.
JSON-RPC   http://${address}
WebSocket  ws://${address}
Faults     curl http://${address}/faults -d '{"rpcErrors":{"-32005":0.05}}'
${stream}${posts}`;
}

async function listen(
  server: { listen(port: number): Promise<number> },
  port: number,
  option: string,
): Promise<number> {
  try {
    return await server.listen(port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const message = `Cannot listen on 127.0.0.1 port ${port} (${code}): choose another with ${option}.`;
    throw new UsageError(message, { cause: error });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function paceOf(text: string): number {
  if (text === 'max') return Number.POSITIVE_INFINITY;
  if (text === 'asked') return 0;
  const pace = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (pace > 0 && pace <= PACE_MAX) return pace;
  throw new UsageError(
    `--pace takes a number above 0 and up to ${PACE_MAX}, "max" or "asked", not "${text}".`,
  );
}

function portOf(option: string, text: string | undefined): number | null {
  return text === undefined ? null : wholeNumberOption(option, text, 0, PORT_MAX);
}

function readFaults(path: string): FaultSettings {
  const reading = parseFaults(readDocument(path));
  if (reading.kind === 'settings') return reading.settings;
  throw new UsageError(`--faults: in ${path}, ${reading.message}.`);
}

function readDocument(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(`--faults: cannot read ${path}: ${error.message}`, { cause: error });
  }
}
