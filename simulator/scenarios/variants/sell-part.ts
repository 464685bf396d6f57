import type { Address } from '../../../src/model/units.ts';
import type { Market } from '../../venues/market.ts';
import type { Crew } from '../crew.ts';
import { CREW_PRIORITY } from '../crew-purchases.ts';
import { drawTip, heldOf, saleOrder } from '../orders.ts';
import type { Script } from '../script.ts';
import { firstSlotOf, land, lastSlotOf, type Outcome } from '../sending.ts';
import { openMarket } from '../staged-token.ts';

/** Sales of a crew's exit: the first one begins the label, the last one ends it. */
export class ExitSales {
  private readonly crew: Crew;
  private readonly mint: Address;
  private readonly outcomes: Outcome[] = [];
  private hasBegun = false;

  constructor(crew: Crew, mint: Address) {
    this.crew = crew;
    this.mint = mint;
  }

  /** Sells a share of a wallet's holding, where the token is traded or in the given pool. */
  *sell(trader: Address, share: number, pool?: Market): Script {
    const { context, knobs } = this.crew;
    const market = pool ?? (yield* openMarket(context, this.mint));
    if (market === null || heldOf(context, trader, this.mint) === 0n) return;
    const tipLamports = knobs.tipStyle === 'none' ? 0n : drawTip(context.random);
    const style = { trader, market, tipLamports, priority: CREW_PRIORITY };
    this.note(yield* land(context.world, saleOrder(context, { ...style, share })));
  }

  /** Ends the exit with its last sale. */
  end(): void {
    const slot = lastSlotOf(this.outcomes);
    if (slot !== null) this.crew.end(slot);
  }

  private note(outcome: Outcome): void {
    this.outcomes.push(outcome);
    const slot = firstSlotOf([outcome]);
    if (slot === null || this.hasBegun) return;
    this.hasBegun = true;
    this.crew.begin(this.mint, slot);
  }
}
