import type { Address } from '../../src/model/units.ts';
import type { World } from '../market/world.ts';
import { transferLamports } from '../programs/system.ts';
import type { Random } from '../random/random.ts';
import type { WalletLabel } from '../truth/labels.ts';
import type { Behaviour } from './behaviour-names.ts';
import { type Exchanges, jittered } from './exchanges.ts';
import type { ClientSettings } from './trade-order.ts';

/** A trader, human or program, with its single wallet. */
export interface Person {
  readonly address: Address;
  readonly behaviour: Behaviour;
  readonly client: ClientSettings;
}

/** The ground truth that holds for all people of a kind. */
export type KindLabel = Pick<WalletLabel, 'automation' | 'isSmart'>;

export const ORGANIC: KindLabel = { automation: 'organic', isSmart: false };
export const BOT: KindLabel = { automation: 'bot', isSmart: false };

const SOL = 1_000_000_000;

/** Converts SOL to lamports, rounded to the lamport. */
export function lamportsOfSol(sol: number): bigint {
  return BigInt(Math.round(sol * SOL));
}

/** A log-normal amount of SOL: its median, and the spread of its logarithm. */
export interface SolAmount {
  readonly medianSol: number;
  readonly spread: number;
}

export function drawLamports(random: Random, { medianSol, spread }: SolAmount): bigint {
  return lamportsOfSol(random.logNormal(medianSol, spread));
}

/** Math.min does not support bigints. */
export function lesser(one: bigint, other: bigint): bigint {
  return other < one ? other : one;
}

/** Creates a wallet without lamports and records its owner in the ground truth. */
export function openWallet(
  world: World,
  behaviour: Behaviour,
  label: KindLabel,
  client: ClientSettings,
): Person {
  const address = world.keyring.wallet();
  world.truth.labels.addWallet(address, { ...label, behaviour });
  return { address, behaviour, client };
}

/**
 * Adds initial lamports before the first slot. Throws Error later: then lamports can only be
 * transferred.
 */
export function endow({ hasBegun, chain }: World, address: Address, lamports: bigint): void {
  if (hasBegun) throw new Error('the market has started: lamports can only be transferred');
  const account = chain.ledger.get(address);
  chain.ledger.set(address, { ...account, lamports: account.lamports + lamports });
}

export function lamportsOf({ chain }: World, { address }: Pick<Person, 'address'>): bigint {
  return chain.ledger.get(address).lamports;
}

/** Raw balance of a mint in a person's token account. */
export function heldRaw(
  { chain, tokenAccounts }: World,
  { address }: Pick<Person, 'address'>,
  mint: Address,
): bigint {
  return chain.ledger.heldRaw(tokenAccounts.of(address, mint));
}

/** Shares of the sources of new money; the rest comes from an exchange. */
const FRIEND_SHARE = 0.12;
const BRIDGE_SHARE = 0.08;
/** Number of friends remembered, and the balance a lender needs: five times the sum. */
const FRIENDS_MAX = 64;
const LENDERS_MULTIPLE = 5n;

/** Funds people by transfers: from exchanges, over bridges, from friends. */
export class Funding {
  readonly exchanges: Exchanges;
  private readonly world: World;
  private readonly random: Random;
  private readonly friends: Person[] = [];

  constructor(world: World, exchanges: Exchanges) {
    this.world = world;
    this.exchanges = exchanges;
    this.random = world.random.fork('funding');
  }

  /** Remembers a possible lender. */
  befriend(person: Person): void {
    if (this.friends.length < FRIENDS_MAX) this.friends.push(person);
    else this.friends[this.random.below(FRIENDS_MAX)] = person;
  }

  /** Sends about `lamports` to a person; calls back once they have arrived. */
  fund(person: Person, lamports: bigint, onFunded: () => void = nothing): void {
    const amount = jittered(this.random, lamports);
    const way = this.random.unit();
    if (way < FRIEND_SHARE && this.lend(person, amount, onFunded)) return;
    if (way > 1 - BRIDGE_SHARE) this.exchanges.bridge(person.address, amount, onFunded);
    else this.exchanges.withdraw(person.address, amount, onFunded);
  }

  private lend({ address: to }: Person, lamports: bigint, onFunded: () => void): boolean {
    if (this.friends.length === 0) return false;
    const friend = this.random.pick(this.friends);
    if (friend.address === to) return false;
    if (lamportsOf(this.world, friend) < lamports * LENDERS_MULTIPLE) return false;
    this.world.send({
      feePayer: friend.address,
      build: (execution) => transferLamports(execution, friend.address, to, lamports),
      onLanded: ({ isFailed }) => {
        if (!isFailed) onFunded();
      },
    });
    return true;
  }
}

function nothing(): void {
  // The default callback does nothing.
}
