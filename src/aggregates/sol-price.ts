import type { Swap } from '../model/chain-event.ts';
import type { SolPrice } from '../model/derived.ts';
import type { Address, PriceE18, Slot } from '../model/units.ts';

export interface SolPriceOptions {
  /** Used while the chain itself tells no price; null for none. */
  readonly fallbackUsd: PriceE18 | null;
}

/** SOL/USD from the chain's own SOL/stablecoin pools. */
export class SolPriceBook {
  constructor(_options: SolPriceOptions) {}

  /** Called once per slot, with all its swaps, before anything of the slot is priced. */
  applySlot(_slot: Slot, _timeMs: number, _swaps: readonly Swap[]): SolPrice[] {
    throw new Error('stub');
  }

  /** USD per whole unit of `quoteMint` at the current slot, null when unknown. */
  usdPerQuote(_quoteMint: Address): PriceE18 | null {
    throw new Error('stub');
  }

  current(): SolPrice | null {
    throw new Error('stub');
  }

  digestRows(): Iterable<string> {
    throw new Error('stub');
  }
}
