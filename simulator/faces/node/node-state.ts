import type { Address } from '../../../src/model/units.ts';
import type { AccountHistory } from './account-history.ts';
import type { BlockAnswers } from './block-answers.ts';
import type { BlockWindow, ChainView } from './block-window.ts';
import type { Faults } from './faults.ts';
import type { DataAccount } from './format-account.ts';

/** What the methods of a node read. */
export interface NodeState {
  readonly window: BlockWindow;
  readonly accounts: AccountHistory;
  /** Served beside those of the chain, the same at every slot. */
  readonly dataAccounts: ReadonlyMap<Address, DataAccount>;
  readonly answers: BlockAnswers;
  readonly faults: Faults;
  readonly genesisHash: string;
  /** Slots older than the window are said to be missing in long-term storage, not cleaned up. */
  readonly hasLongTermStorage: boolean;
}

/** One call: the chain as the caller is to see it, and the key its faults hang on. */
export interface CallContext {
  readonly node: NodeState;
  readonly view: ChainView;
  readonly key: string;
}

/** Answers a call with JSON text. Throws RpcError. */
export type Method = (context: CallContext, params: readonly unknown[]) => string;

export function viewOf(node: NodeState, key: string): ChainView {
  const { faults, window } = node;
  const { headBackSlots, confirmsDropped } = faults.settings;
  return window.view(faults.strikes('headBack', key) ? headBackSlots : 0, confirmsDropped);
}
