import { setTimeout as delay } from 'node:timers/promises';
import type { SourceItem } from '../../../src/chain/source.ts';
import type { SlotFacts } from '../../../src/model/slot-facts.ts';
import { asSlot } from '../../../src/model/units.ts';
import type { GrowingMarket } from '../growing-market.ts';
import { SLOT_MS } from '../market-options.ts';

/** A slot is final when so many have followed. */
export const TAIL_SLOTS = 32;
/** Slots at the pace of the chain before the late one is delivered. */
export const CALM_SLOTS = 25;

export interface LateChain {
  readonly market: GrowingMarket;
  /** Slots before the late one, and from it to its delivery. */
  readonly lead: number;
  readonly late: number;
  /** Called with each slot of the market when it is delivered, the late one in its place. */
  readonly onSlot: (facts: SlotFacts) => void;
  /** Called once all slots before the delivery came; the chain then goes on at its pace. */
  readonly onHistory: () => Promise<void>;
  readonly onDelivery: () => Promise<void>;
  /** Called with by how much a slot is later than the pace of the chain. */
  readonly onDelay: (ms: number) => void;
  /** Whether the chain may end. */
  readonly isDone: () => boolean;
}

/**
 * A followed chain that leaves a slot out and delivers it later: first all slots as fast as they are
 * taken, then one every 400 ms, until it may end. At the end every slot is final.
 */
export async function* lateChain(chain: LateChain): AsyncGenerator<SourceItem> {
  const { market, lead, late } = chain;
  let withheld: SlotFacts | null = null;
  for (let index = 0; index < lead + late; index++) {
    const facts = nextOf(chain);
    if (index !== lead) yield { kind: 'facts', facts };
    else {
      withheld = facts;
      const { slot } = facts;
      yield { kind: 'missing', from: slot, to: slot, reason: 'no node has it yet' };
    }
    yield* finalAfter(facts);
  }
  await chain.onHistory();
  const startMs = performance.now();
  for (let index = 0; index < CALM_SLOTS || !chain.isDone(); index++) {
    const dueMs = startMs + index * SLOT_MS;
    await delay(Math.max(0, dueMs - performance.now()));
    if (index >= CALM_SLOTS) chain.onDelay(performance.now() - dueMs);
    const facts = nextOf(chain);
    yield { kind: 'facts', facts };
    yield* finalAfter(facts);
    if (withheld === null || index !== CALM_SLOTS - 1) continue;
    await chain.onDelivery();
    yield { kind: 'facts', facts: withheld };
  }
  yield { kind: 'final', slot: asSlot(market.nextSlot - 1) };
}

function nextOf({ market, onSlot }: LateChain): SlotFacts {
  const facts = market.next();
  onSlot(facts);
  return facts;
}

function* finalAfter({ slot }: SlotFacts): Generator<SourceItem> {
  yield { kind: 'final', slot: asSlot(slot - TAIL_SLOTS) };
}
