import type { Address } from '../../src/model/units.ts';
import type { AttackLabel, FraudRole, FraudType } from '../truth/labels.ts';
import type { AttackKnobs } from './knobs.ts';
import type { ScenarioContext } from './scenario.ts';

/** The wallets of one attack, who they are in it, and the label that tells of it. */
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

  /** A new wallet with a role. */
  open(role: FraudRole): Address {
    return this.cast(this.context.world.keyring.wallet(), role);
  }

  /** Wallets that trade, some of them with a past, in no order. */
  recruit(count: number, role: FraudRole): Address[] {
    const { random, veterans } = this.context;
    const agedCount = Math.round(count * this.knobs.agedShare);
    const wallets = Array.from({ length: count }, (_, place) => {
      if (place >= agedCount) return this.open(role);
      const veteran = this.cast(veterans.take(), role);
      this.aged.add(veteran);
      return veteran;
    });
    return random.shuffle(wallets);
  }

  /** Gives a wallet a role; the first one stays. */
  cast(wallet: Address, role: FraudRole): Address {
    if (!this.roles.has(wallet)) this.roles.set(wallet, role);
    const label = { automation: 'bot', isSmart: false, behaviour: `${this.type} ${role}` } as const;
    this.context.world.truth.labels.addWallet(wallet, label);
    return wallet;
  }

  /** Those of the crew that have a past. */
  get veterans(): readonly Address[] {
    return [...this.aged];
  }

  /** Money for the attack moved: the first time counts. */
  noteFunding(slot: number): void {
    this.fundedFromSlot ??= slot;
  }

  /** The pattern begins: from here on the truth knows of it. */
  begin(mint: Address, startSlot: number): void {
    const { type, roles, knobs, fundedFromSlot } = this;
    const { world, seed } = this.context;
    this.label = {
      ...{ type, difficulty: knobs.difficulty, mint, roles, fundedFromSlot, startSlot },
      ...{ endSlot: null, seed, knobs: { ...knobs } },
    };
    world.truth.labels.attacks.push(this.label);
  }

  /** The pattern's own trades are over; money may still move. */
  end(slot: number): void {
    if (this.label !== null) this.label.endSlot = slot;
  }
}
