import type { Address } from '../../src/model/units.ts';
import type { AttackLabel, FraudRole, FraudType } from '../truth/labels.ts';
import type { AttackKnobs } from './knobs.ts';
import type { ScenarioContext } from './scenario.ts';

/** The wallets of one attack with their roles, and its label. */
export class Crew {
  readonly context: ScenarioContext;
  readonly knobs: AttackKnobs;
  private readonly type: FraudType;
  private readonly roles = new Map<Address, FraudRole>();
  private readonly aged = new Set<Address>();
  private fundedFromSlot: number | null = null;
  private label: AttackLabel | null = null;

  constructor(context: ScenarioContext, type: FraudType, knobs: AttackKnobs) {
    this.context = context;
    this.type = type;
    this.knobs = knobs;
  }

  /** Opens a new wallet with a role. */
  open(role: FraudRole): Address {
    return this.cast(this.context.world.keyring.wallet(), role);
  }

  /** Wallets that trade, some of them with a history, in random order. */
  recruit(count: number, role: FraudRole): Address[] {
    const { random, veterans } = this.context;
    const agedCount = Math.round(count * this.knobs.agedShare);
    const wallets = Array.from({ length: count }, (_, index) => {
      if (index >= agedCount) return this.open(role);
      const veteran = this.cast(veterans.take(), role);
      this.aged.add(veteran);
      return veteran;
    });
    return random.shuffle(wallets);
  }

  /** Assigns a role to a wallet; the first role is kept. */
  cast(wallet: Address, role: FraudRole): Address {
    if (!this.roles.has(wallet)) this.roles.set(wallet, role);
    const label = { automation: 'bot', isSmart: false, behaviour: `${this.type} ${role}` } as const;
    this.context.world.truth.labels.addWallet(wallet, label);
    return wallet;
  }

  /** The crew's wallets with a history. */
  get veterans(): readonly Address[] {
    return [...this.aged];
  }

  /** Records the slot of funding; only the first call counts. */
  noteFunding(slot: number): void {
    this.fundedFromSlot ??= slot;
  }

  /** Starts the pattern, from which on it is part of the ground truth. */
  begin(mint: Address, startSlot: number): void {
    const { type, roles, knobs, fundedFromSlot } = this;
    const { world, seed } = this.context;
    this.label = {
      type,
      difficulty: knobs.difficulty,
      mint,
      roles,
      fundedFromSlot,
      startSlot,
      endSlot: null,
      seed,
      knobs: { ...knobs },
    };
    world.truth.labels.attacks.push(this.label);
  }

  /** Ends the pattern's own trades; money may still move. */
  end(slot: number): void {
    if (this.label !== null) this.label.endSlot = slot;
  }
}
