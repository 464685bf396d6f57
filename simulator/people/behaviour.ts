import type { World } from '../market/world.ts';
import type { Random, Range } from '../random/random.ts';
import type { Attention } from './attention.ts';
import type { Behaviour } from './behaviour-names.ts';
import type { OrderService } from './order-service.ts';
import type { TokenInterest } from './token-interest.ts';
import { type ClientSettings, PLAIN_CLIENT } from './trade-order.ts';
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

/** People of a kind, each with the lamports drawn for it from before the first slot. */
export function settlers(
  context: BehaviourContext,
  kind: Pick<BehaviourKind, 'name' | 'label'>,
  count: number,
  draw: () => bigint,
): Person[] {
  return Array.from({ length: count }, () => settler(context, kind, draw()));
}

/** Lets some of the people act on each launch, each after its own delay. */
export function afterLaunches(
  { world, random, attention }: BehaviourContext,
  people: readonly Person[],
  visit: {
    /** The probability that one of them acts on this token. */
    readonly shareOf: (interest: TokenInterest) => number;
    readonly delayMs: Range;
    readonly act: (person: Person, interest: TokenInterest) => void;
  },
): void {
  attention.onToken((interest) => {
    const share = visit.shareOf(interest);
    for (const person of people) {
      if (!random.chance(share)) continue;
      const atMs = interest.startMs + random.wholeWithin(visit.delayMs);
      world.at(atMs, () => visit.act(person, interest));
    }
  });
}

/** A person of a kind, with lamports from before the first slot. */
export function settler(
  { world }: Pick<BehaviourContext, 'world'>,
  { name, label }: Pick<BehaviourKind, 'name' | 'label'>,
  lamports: bigint,
  client: ClientSettings = PLAIN_CLIENT,
): Person {
  const person = openWallet(world, name, label, client);
  endow(world, person.address, lamports);
  return person;
}
