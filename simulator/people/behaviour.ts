import type { World } from '../market/world.ts';
import type { Random } from '../random/random.ts';
import type { Attention } from './attention.ts';
import type { Behaviour } from './behaviour-names.ts';
import type { OrderService } from './order-service.ts';
import { PLAIN, type Plumbing } from './trade-order.ts';
import { endow, type Funding, type KindLabel, openWallet, type Person } from './wallets.ts';

/** The environment of a kind of people. */
export interface BehaviourContext {
  readonly world: World;
  /** A random stream for this kind only. */
  readonly random: Random;
  readonly attention: Attention;
  readonly orders: OrderService;
  readonly funding: Funding;
  /** How many people each member of the crowd represents, including their money. */
  readonly crowdWeight: bigint;
}

/** A kind of people or programs. Each has its own file in `behaviours/`. */
export interface BehaviourKind {
  readonly name: Behaviour;
  readonly label: KindLabel;
  /** Adds `count` of them to the market, before the first slot. */
  readonly settle: (context: BehaviourContext, count: number) => void;
}

/** Lamports reserved for fees and rents of token accounts. */
export const SPARE_LAMPORTS = 15_000_000n;

/** A person of a kind, with lamports from before the first slot. */
export function settler(
  { world }: Pick<BehaviourContext, 'world'>,
  { name, label }: Pick<BehaviourKind, 'name' | 'label'>,
  lamports: bigint,
  plumbing: Plumbing = PLAIN,
): Person {
  const person = openWallet(world, name, label, plumbing);
  endow(world, person.address, lamports);
  return person;
}
