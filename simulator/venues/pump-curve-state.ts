import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import type { Market } from './market.ts';
import type { PumpCurveAccounts } from './pump-curve-accounts.ts';
import type { CurveFees, CurveReserves } from './pump-curve-math.ts';
import type { CurveMoment } from './pump-events.ts';

/** The program's data in a curve's account. */
export interface PumpCurveState extends CurveReserves {
  readonly isComplete: boolean;
  /** Fees of trades that kept them, until they are swept. Not part of the reserves. */
  readonly protocolFeesRaw: bigint;
  readonly creatorFeesRaw: bigint;
  /** What a purchase past the end has already bought of the future pool, and its payment. */
  readonly beyondBaseRaw: bigint;
  readonly beyondQuoteRaw: bigint;
  readonly startQuoteRaw: bigint;
}

/** The parts of a curve that its trade instructions use. */
export interface TradedCurve
  extends Pick<Market, 'venue' | 'pool' | 'baseMint' | 'quoteMint' | 'takesLamports'> {
  readonly accounts: PumpCurveAccounts;
  readonly vault: Address;
  readonly tokenAccounts: TokenAccounts;
  readonly fees: CurveFees;
  /** Fails like the program before the launch and after the end. */
  openState(execution: Execution): PumpCurveState;
  momentOf(execution: Execution, user: Address): CurveMoment;
}
