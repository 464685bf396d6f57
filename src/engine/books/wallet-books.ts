import { DECODERS } from '../../decoders/registry.ts';
import { FundingBook } from '../../fold/funding/funding-book.ts';
import { PoolWalletBook } from '../../fold/indicators/pool-wallet-book.ts';
import { SmartFlowBook } from '../../fold/indicators/smart-flow.ts';
import { SmartHolderBook } from '../../fold/indicators/smart-holders.ts';
import { PositionBook } from '../../fold/positions/position-book.ts';
import { FollowBook } from '../../fold/smart/follow-book.ts';
import { SmartBook } from '../../fold/smart/smart-book.ts';
import { SwarmWatch } from '../../fold/wallets/swarms/swarm-watch.ts';
import { TokenBots } from '../../fold/wallets/token-bots/token-bots.ts';
import { WalletBook } from '../../fold/wallets/wallet-book.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import { ADDRESS_REGISTRY } from '../../model/address-registry.ts';
import type { Address } from '../../model/units.ts';

/** The books about wallets. All of them share one numbering of wallets, `ids`. */
export interface WalletBooks {
  readonly ids: AddressIds<Address>;
  readonly funding: FundingBook;
  readonly wallets: WalletBook;
  readonly tokenBots: TokenBots;
  readonly swarms: SwarmWatch;
  readonly positions: PositionBook;
  readonly follows: FollowBook;
  readonly smart: SmartBook;
  readonly poolWallets: PoolWalletBook;
  readonly smartFlows: SmartFlowBook;
  readonly smartHolders: SmartHolderBook;
}

/** Creates books that record their changes in `undo`. */
export function createWalletBooks(undo: UndoLog): WalletBooks {
  const ids = new AddressIds<Address>(undo);
  return {
    ids,
    funding: new FundingBook(ids, ADDRESS_REGISTRY, undo),
    wallets: new WalletBook({ ids, knownPrograms: KNOWN_PROGRAMS }, undo),
    tokenBots: new TokenBots(undo),
    swarms: new SwarmWatch(undo),
    positions: new PositionBook(ids, undo),
    follows: new FollowBook(ids, undo),
    smart: new SmartBook(ids, undo),
    poolWallets: new PoolWalletBook(ids, undo),
    smartFlows: new SmartFlowBook(ids, undo),
    smartHolders: new SmartHolderBook(ids, undo),
  };
}

/** Public programs: using one links no wallets. */
export const KNOWN_PROGRAMS: ReadonlySet<Address> = new Set(
  DECODERS.map(({ programId }) => programId),
);
