import type { Address } from '../../src/model/units.ts';
import type { BenignLabel, RunKnobs, WalletLabel } from '../truth/labels.ts';
import { withdraw } from './funding.ts';
import { TRADE_COST_LAMPORTS } from './orders.ts';
import type { ScenarioContext } from './scenario.ts';
import { pause, type Script, together } from './script.ts';

/** The wallets of one benign look-alike, and its label. */
export class BenignGroup {
  readonly context: ScenarioContext;
  private readonly family: string;
  private readonly wallets = new Set<Address>();
  private label: BenignLabel | null = null;

  constructor(context: ScenarioContext, family: string) {
    this.context = context;
    this.family = family;
  }

  /** Opens a wallet that will look suspicious. */
  open(automation: WalletLabel['automation'], behaviour: string): Address {
    const wallet = this.context.world.keyring.wallet();
    this.wallets.add(wallet);
    const label = { automation, isSmart: false, behaviour };
    this.context.world.truth.labels.addWallet(wallet, label);
    return wallet;
  }

  /** Adds a wallet that already has a label. */
  add(wallet: Address): void {
    this.wallets.add(wallet);
  }

  openSeveral(count: number, automation: WalletLabel['automation'], behaviour: string): Address[] {
    return Array.from({ length: count }, () => this.open(automation, behaviour));
  }

  /** Starts the suspicious-looking behaviour of a run with these parameters. */
  begin(mint: Address, startSlot: number, knobs: RunKnobs): void {
    const { family, wallets } = this;
    const { seed, world } = this.context;
    this.label = { family, mint, wallets, startSlot, endSlot: null, seed, knobs };
    world.truth.labels.benign.push(this.label);
  }

  /** Ends it in the current slot. */
  end(): void {
    if (this.label !== null) this.label.endSlot = this.context.world.slot;
  }
}

export const LAMPORTS_PER_SOL = 1_000_000_000;

/** Lamports drawn uniformly between two amounts of SOL. */
export function drawSol({ random }: ScenarioContext, least: number, most: number): bigint {
  return BigInt(Math.round(random.between(least, most) * LAMPORTS_PER_SOL));
}

/** An amount for each wallet, drawn once. */
export function drawAmounts(
  wallets: readonly Address[],
  draw: () => bigint,
): (wallet: Address) => bigint {
  const amounts = new Map(wallets.map((wallet) => [wallet, draw()]));
  return (wallet) => amounts.get(wallet) ?? 0n;
}

/** Unrelated payments: each from any exchange, at any time within the span. */
export function* payStrangers(
  context: ScenarioContext,
  wallets: readonly Address[],
  lamportsOf: (wallet: Address) => bigint,
  overMs: number,
): Script {
  const { world, random } = context;
  yield* together(
    wallets.map(function* (wallet) {
      yield* pause(world, random.between(0, overMs));
      yield* withdraw(context, wallet, lamportsOf(wallet) + 4n * TRADE_COST_LAMPORTS);
    }),
  );
}
