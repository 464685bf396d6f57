import { CaseBook } from '../../fraud/cases/case-book.ts';
import { LaunchBook } from '../../fraud/cases/launch-book.ts';
import { LaunchSnipes } from '../../fraud/cases/launch-snipes.ts';
import { PoolFees } from '../../fraud/cases/pool-fees.ts';
import { TradeTrails } from '../../fraud/cases/trade-trails.ts';
import type { AddressIds } from '../../lib/address-ids.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';

/** The books that only cases read, in addition to the shared books. */
export interface CaseBooks {
  readonly lists: CaseBook;
  readonly launches: LaunchBook;
  readonly trails: TradeTrails;
  readonly snipes: LaunchSnipes;
  readonly fees: PoolFees;
}

/** Creates books that number addresses by `ids` and record their changes in `undo`. */
export function createCaseBooks(ids: AddressIds<Address>, undo: UndoLog): CaseBooks {
  return {
    lists: new CaseBook(ids, undo),
    launches: new LaunchBook(ids, undo),
    trails: new TradeTrails(ids, undo),
    snipes: new LaunchSnipes(ids, undo),
    fees: new PoolFees(ids, undo),
  };
}
