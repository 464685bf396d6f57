import type { FastifyBaseLogger } from 'fastify';
import { PacedSource } from '../../simulator/faces/paced-source.ts';
import { SimulatedWeb } from '../../simulator/faces/web/simulated-web.ts';
import { createSimulation, type Simulation } from '../../simulator/simulation.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import type { Source } from '../chain/source.ts';
import type { SimulationOrigin } from '../model/simulation-origin.ts';
import type { Service } from '../service/app.ts';
import { openInbox } from '../store/offchain/posts-inbox.ts';
import { type Access, reportExamples } from './simulated-examples.ts';
import { bringPosts } from './simulated-posts.ts';

/** Shortest history of the market at the start: long enough for tokens to leave their curves. */
const PAST_MS = 8 * 60_000;

const SIMULATED =
  'simulated market: nothing here is on any real chain; set SOLANA_RPC_URL or MINTSCOPE_YELLOWSTONE_URL to follow one';

export interface SimulatedMarketOptions {
  readonly seed: string;
  /** Database that receives posts; null if posts are not counted. */
  readonly inboxFile: string | null;
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'error'>;
  readonly signal: AbortSignal;
}

/** A simulated market that runs in real time: its chain, its posts, and the web pages they name. */
export class SimulatedMarket {
  /** Origin of the simulated web. */
  readonly webOrigin: string;
  readonly origin: SimulationOrigin;
  private readonly options: SimulatedMarketOptions;
  private readonly web: SimulatedWeb;
  private simulation: Simulation | null = null;

  private constructor(options: SimulatedMarketOptions, web: SimulatedWeb, webOrigin: string) {
    this.options = options;
    this.web = web;
    this.webOrigin = webOrigin;
    const startMs = Math.floor(Date.now() / 1_000) * 1_000 - PAST_MS;
    this.origin = { seed: options.seed, startMs };
  }

  /** Starts the web server of a market; the market itself starts with `begin`. */
  static async open(options: SimulatedMarketOptions): Promise<SimulatedMarket> {
    const web = new SimulatedWeb((uri) => market.simulation?.tokenAt(uri) ?? null);
    const market: SimulatedMarket = new SimulatedMarket(options, web, await web.listen());
    return market;
  }

  /**
   * The chain: first its recent past, then slot by slot in real time. Prints example requests once
   * the past has been delivered.
   */
  begin(access: Access, service: Service): Source {
    const { inboxFile, logger, signal } = this.options;
    const { seed, startMs } = this.origin;
    const simulation = createSimulation({ ...PRESETS.demo, seed, startMs });
    this.simulation = simulation;
    logger.info({ seed, startMs }, SIMULATED);
    this.importPosts(simulation);
    const examples = { simulation, access, service, signal, hasPosts: inboxFile !== null };
    return new PacedSource({
      chain: simulation,
      // Until now, so that the chain is not behind by the time that the service took to start.
      pastMs: Math.floor((Date.now() - startMs) / 1_000) * 1_000,
      signal,
      onPresent: () => {
        reportExamples(examples).catch((error: unknown) => {
          logger.error({ err: error }, 'examples of the simulated market cannot be printed');
        });
      },
    });
  }

  async close(): Promise<void> {
    await this.web.close();
  }

  private importPosts(simulation: Simulation): void {
    const { inboxFile, logger, signal } = this.options;
    if (inboxFile === null) return;
    const { inbox, close } = openInbox(inboxFile);
    bringPosts({ take: () => simulation.takePosts(), put: (events) => inbox.put(events), signal })
      .catch((error: unknown) => {
        logger.error({ err: error }, 'posts of the simulated market are no longer imported');
      })
      .finally(close);
  }
}
