import { FRAUD_TYPES, type FraudType, type WalletRole } from '../../src/model/fraud.ts';
import type { Address } from '../../src/model/units.ts';

export { FRAUD_TYPES, type FraudType };

export type Difficulty = 'easy' | 'medium' | 'hard';

export type FraudRole = WalletRole;

/** Innocent look-alikes of METHODS §7.9. */
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
  /** Trades with a real edge that others could follow. */
  readonly isSmart: boolean;
  /** What kind of person or program it is: 'terminal user', 'sniper' … */
  readonly behaviour: string;
}

/** What a run was told to be, by the names of its knobs. */
export type RunKnobs = Readonly<Record<string, string | number | boolean>>;

export interface AttackLabel {
  readonly type: FraudType;
  readonly difficulty: Difficulty;
  readonly mint: Address;
  /** Who took part; grows while money still moves behind the pattern. */
  readonly roles: ReadonlyMap<Address, FraudRole>;
  /** First slot in which money for it moved; null when nobody had to be paid. */
  readonly fundedFromSlot: number | null;
  /** First slot of the pattern's own trades, of a launch for those that begin with one. */
  readonly startSlot: number;
  /** Last slot of the pattern's own trades; null while it goes on. */
  endSlot: number | null;
  /** What all draws of the run began with. */
  readonly seed: string;
  readonly knobs: RunKnobs;
}

export interface BenignLabel {
  readonly family: BenignFamily;
  readonly mint: Address;
  /** Those that look suspicious and are not. */
  readonly wallets: ReadonlySet<Address>;
  readonly startSlot: number;
  /** Null while it goes on. */
  endSlot: number | null;
  readonly seed: string;
  readonly knobs: RunKnobs;
}

/** Who is who: what no chain tells and every detector is judged by. */
export class Labels {
  readonly wallets = new Map<Address, WalletLabel>();
  readonly attacks: AttackLabel[] = [];
  readonly benign: BenignLabel[] = [];

  /** The first label of a wallet stays: an attack may use wallets that live a life beside it. */
  addWallet(address: Address, label: WalletLabel): void {
    if (!this.wallets.has(address)) this.wallets.set(address, label);
  }
}
