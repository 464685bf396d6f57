import type { FastifyBaseLogger } from 'fastify';
import { MintObserver } from '../chain/accounts/mint-observer.ts';
import type { ChainPoint } from '../chain/block-link.ts';
import type { BlockStream, StreamUse } from '../chain/block-stream.ts';
import type { OpenGap } from '../chain/open-gaps.ts';
import type { RawBlockDecoder } from '../chain/recorded/raw-block.ts';
import type { BlockFetcher } from '../chain/rpc/nodes/block-fetcher.ts';
import { createNodePool } from '../chain/rpc/nodes/create-node-pool.ts';
import { RPC_TUNING } from '../chain/rpc/nodes/rpc-options.ts';
import { createRpcSource } from '../chain/rpc/rpc-source.ts';
import type { Source } from '../chain/source.ts';
import { BLOCK_READING } from '../chain/threads/block-testimony.ts';
import { openYellowstone } from '../chain/yellowstone/open-yellowstone.ts';
import type { Config } from '../config/config-settings.ts';
import type { AccountObserver } from '../ingestion/account-observer.ts';
import { monotonicClock } from '../lib/clock.ts';
import { UsageError } from '../model/errors.ts';
import type { Slot } from '../model/units.ts';
import type { Service } from '../service/app.ts';
import { changeableGaps } from './dropped-slots.ts';
import { openGapsOf } from './open-gaps-of.ts';
import { warnOfClock } from './warn-of-setup.ts';

/** A chain to ingest. */
export interface FollowedChain {
  readonly source: Source;
  /** Reads accounts of tokens older than the log during ingestion; null without RPC nodes. */
  readonly observer: AccountObserver | null;
}

/** Whether the configuration contains a chain to follow. */
export function namesChain({ rpcUrl, yellowstoneUrl }: Config): boolean {
  return rpcUrl !== null || yellowstoneUrl !== null;
}

/**
 * The chain of the configured Yellowstone server and RPC nodes, starting after the last stored
 * final slot; null if neither is configured. Gaps of the stored log are filled meanwhile. Throws
 * UsageError if the Yellowstone client cannot be loaded.
 */
export async function followChain(
  { store, ingestion }: Service,
  config: Config,
  decoder: (BlockFetcher & RawBlockDecoder) | null,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): Promise<FollowedChain | null> {
  if (!namesChain(config)) return null;
  const { finalSlot } = ingestion.status;
  const anchor = finalSlot === null ? null : await finalPointOf(store, finalSlot);
  const gaps = await openGapsOf(store.log, changeableGaps(ingestion));
  const from = { anchor, gaps, isObserved: true };
  return chainSource(config, decoder, logger, from, signal);
}

/** Where following begins. */
export interface ChainStart {
  readonly anchor: ChainPoint | null;
  readonly gaps: readonly OpenGap[];
  /** Whether accounts of tokens older than the log are read. */
  readonly isObserved: boolean;
}

/** The chain of the configured servers. Throws UsageError if the Yellowstone client cannot be loaded. */
export async function chainSource(
  config: Config,
  decoder: (BlockFetcher & RawBlockDecoder) | null,
  logger: FastifyBaseLogger,
  { anchor, gaps, isObserved }: ChainStart,
  signal: AbortSignal,
): Promise<FollowedChain> {
  const stream = await streamOf(config, decoder, logger);
  const endpoints = config.rpcUrl ?? [];
  logger.info({ nodes: endpoints.length, from: anchor?.slot ?? null }, 'following the chain');
  void warnOfClock(config, logger);
  const tuning = { ...RPC_TUNING, requestsPerSecond: config.rpcRequestsPerSecond };
  const shared = { clock: monotonicClock, random: Math.random };
  const pool = createNodePool({ endpoints, tuning, ...shared });
  const isObserving = isObserved && endpoints.length > 0;
  const observer = isObserving ? new MintObserver({ nodes: pool, ...shared }) : null;
  const source = createRpcSource({
    ...shared,
    endpoints,
    pool,
    stream,
    anchor,
    gaps,
    fetcher: decoder,
    comparison: { mode: config.compareBlocks, reading: BLOCK_READING },
    signal,
    tuning,
    onNotice: (sentence) => logger.warn(sentence),
    ...(observer === null ? {} : { beside: (ending: AbortSignal) => observer.run(ending) }),
  });
  return { source, observer };
}

async function streamOf(
  config: Config,
  decoder: RawBlockDecoder | null,
  logger: FastifyBaseLogger,
): Promise<((use: StreamUse) => BlockStream) | null> {
  if (config.yellowstoneUrl === null) return null;
  if (config.rpcUrl === null) {
    logger.warn(
      'no RPC node is configured: gaps of the stream stay missing; set SOLANA_RPC_URL to fill them',
    );
  }
  const opening = await openYellowstone({
    url: config.yellowstoneUrl,
    token: config.yellowstoneToken,
    mode: config.yellowstoneMode,
    client: config.yellowstoneClient,
    clock: monotonicClock,
    random: Math.random,
    decoder,
  });
  if (opening.kind === 'unavailable') throw new UsageError(opening.message);
  return opening.stream;
}

type Log = Service['store']['log'];

/** Null for a slot recorded without its hash: following then starts without an anchor. */
export async function finalPointOf(
  { log }: { readonly log: Log },
  slot: Slot,
): Promise<ChainPoint | null> {
  const facts = await log.find(slot);
  return facts === null || facts.blockhash === null ? null : { slot, blockhash: facts.blockhash };
}
