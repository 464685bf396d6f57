import { FRAUD_TYPES, type FraudType, type WalletRole } from '../../src/model/fraud.ts';
import type { Address } from '../../src/model/units.ts';

export { FRAUD_TYPES, type FraudType };

export type Difficulty = 'easy' | 'medium' | 'hard';

export type FraudRole = WalletRole;

/** Benign look-alikes of METHODS §7.9. */
export const BENIGN_FAMILIES = [
  'N1',
  'N2',
  'N3',
  'N4',
  'N5',
  'N6',
  'N7',
  'N8',
  'N9',
  'N10',
  'N11',
  'N12',
  'N13',
  'N14',
  'N15',
  'N16',
] as const;

export type BenignFamily = (typeof BENIGN_FAMILIES)[number];

export interface WalletLabel {
  readonly automation: 'organic' | 'bot';
  /** Trades with a real edge that others could copy. */
  readonly isSmart: boolean;
  /** The kind of person or program: 'terminal user', 'sniper' … */
  readonly behaviour: string;
}

/** The parameters of a run, by the names of its knobs. */
export type RunKnobs = Readonly<Record<string, string | number | boolean>>;

export interface AttackLabel {
  readonly type: FraudType;
  readonly difficulty: Difficulty;
  readonly mint: Address;
  /** Participants; grows while money still moves after the pattern. */
  readonly roles: ReadonlyMap<Address, FraudRole>;
  /** First slot of the funding; null if no wallet was funded. */
  readonly fundedFromSlot: number | null;
  /** First slot of the pattern's own trades, including the launch if it starts with one. */
  readonly startSlot: number;
  /** Last slot of the pattern's own trades; null while in progress. */
  endSlot: number | null;
  /** The seed of all draws of the run. */
  readonly seed: string;
  readonly knobs: RunKnobs;
}

export interface BenignLabel {
  /** A family of METHODS §7.9, or a look-alike of `scenarios/variants/`. */
  readonly family: string;
  readonly mint: Address;
  /** Wallets that look suspicious but are benign. */
  readonly wallets: ReadonlySet<Address>;
  readonly startSlot: number;
  /** Null while in progress. */
  endSlot: number | null;
  readonly seed: string;
  readonly knobs: RunKnobs;
}

/**
 * The ground truth about wallets, which is not on any chain and against which detectors are judged.
 */
export class Labels {
  readonly wallets = new Map<Address, WalletLabel>();
  readonly attacks: AttackLabel[] = [];
  readonly benign: BenignLabel[] = [];

  /** The first label of a wallet is kept: an attack may use wallets that also trade normally. */
  addWallet(address: Address, label: WalletLabel): void {
    if (!this.wallets.has(address)) this.wallets.set(address, label);
  }
}
