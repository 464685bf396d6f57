import type { Address } from '../../../src/model/units.ts';
import type { AccountHistory } from './account-history.ts';
import type { BlockAnswers } from './block-answers.ts';
import type { BlockWindow, ChainView } from './block-window.ts';
import type { Faults } from './faults.ts';
import type { DataAccount } from './format-account.ts';

/** The state that a node's methods read. */
export interface NodeState {
  readonly window: BlockWindow;
  readonly accounts: AccountHistory;
  /** Served in addition to those of the chain, identical at every slot. */
  readonly dataAccounts: ReadonlyMap<Address, DataAccount>;
  readonly answers: BlockAnswers;
  readonly faults: Faults;
  readonly genesisHash: string;
  /**
   * Slots older than the window are reported as missing in long-term storage instead of cleaned up.
   */
  readonly hasLongTermStorage: boolean;
}

/** One call: the chain as the caller sees it, and the key for fault decisions. */
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
