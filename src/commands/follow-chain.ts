import type { FastifyBaseLogger } from 'fastify';
import type { Service } from '../app.ts';
import type { Config } from '../config.ts';
import type { SlotGap } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';
import type { ChainPoint } from '../sources/block-link.ts';
import type { OpenGap } from '../sources/open-gaps.ts';
import type { RawBlockDecoder } from '../sources/raw-block.ts';
import { createRpcSource } from '../sources/rpc/rpc-source.ts';
import type { Source } from '../sources/source.ts';

/**
 * The chain behind the configured RPC nodes, from the last final slot that is stored on; null when
 * none is configured. Gaps of the stored log are asked for on the way.
 */
export async function followChain(
  { store, ingestion }: Service,
  { rpcUrl, rpcRequestsPerSecond }: Config,
  decoder: RawBlockDecoder | null,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): Promise<Source | null> {
  if (rpcUrl === null) return null;
  const { finalSlot } = ingestion.status;
  const anchor = finalSlot === null ? null : await pointOf(store, finalSlot);
  logger.info({ nodes: rpcUrl.length, from: anchor?.slot ?? null }, 'following the chain');
  return createRpcSource({
    endpoints: rpcUrl,
    anchor,
    gaps: await openGapsOf(store, ingestion.gaps),
    decoder,
    signal,
    tuning: { requestsPerSecond: rpcRequestsPerSecond },
  });
}

/** Null for a slot that was recorded without its hash: the chain is then met anew. */
async function pointOf(store: Service['store'], slot: Slot): Promise<ChainPoint | null> {
  const facts = await store.log.find(slot);
  return facts === null || facts.blockhash === null ? null : { slot, blockhash: facts.blockhash };
}

/** Gaps between two stored blocks, which say what is missed; `backfill` fills the others. */
async function openGapsOf(
  store: Service['store'],
  gaps: readonly SlotGap[],
): Promise<readonly OpenGap[]> {
  const open: OpenGap[] = [];
  for (const { from, to } of gaps) {
    const below = await pointOf(store, (from - 1) as Slot);
    const above = await store.log.find((to + 1) as Slot);
    if (
      below === null ||
      above === null ||
      above.parentSlot === null ||
      above.previousBlockhash === null
    )
      continue;
    const expected = { slot: above.parentSlot, blockhash: above.previousBlockhash };
    open.push({ from, below, expected });
  }
  return open;
}
