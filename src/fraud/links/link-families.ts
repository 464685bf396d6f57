import { coTrades } from './co-trades.ts';
import { commonFunding } from './common-funding.ts';
import { cosigned } from './cosigned.ts';
import { directFunding } from './direct-funding.ts';
import { equalSize } from './equal-size.ts';
import { exchangeBatch } from './exchange-batch.ts';
import { feePayer } from './fee-payer.ts';
import type { LinkFamily } from './link-family.ts';
import { privateProgram } from './private-program.ts';
import { sameBundle } from './same-bundle.ts';
import { sweep } from './sweep.ts';
import { synchronizedExit } from './synchronized-exit.ts';
import { tokenChains } from './token-chains.ts';
import { tokenTransfer } from './token-transfer.ts';

/** All link families. `without` refers to their names. */
export const LINK_FAMILIES: readonly LinkFamily[] = [
  directFunding,
  commonFunding,
  exchangeBatch,
  sweep,
  tokenTransfer,
  tokenChains,
  feePayer,
  cosigned,
  sameBundle,
  coTrades,
  privateProgram,
  synchronizedExit,
  equalSize,
];
