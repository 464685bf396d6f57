import type { CaseReading } from '../../../fraud/contract/detector.ts';
import type { Cluster, Clusters, Link } from '../../../fraud/links/clusters.ts';
import type { CaseWallet } from '../../../model/mint-case.ts';
import type { Address } from '../../../model/units.ts';
import type { Meter } from './create-meter.ts';

/** Answers of the host, as texts; those about clusters name the families that are left out. */
export interface HostAnswers {
  /** `{"all": […]}`, or `{"problem": "…"}`. */
  readonly clusters: (without: string) => string;
  readonly strength: (without: string, one: string, other: string) => number;
  readonly linksOf: (without: string, one: string, other: string) => string;
}

/** Functions of JSON that are taken away from the module. */
export interface RealmJson {
  readonly parse: typeof JSON.parse;
  readonly stringify: typeof JSON.stringify;
}

/**
 * The reading of a case in the realm of a module, made of its text: unchangeable, and a copy of its
 * own, so that nothing that a module does to it is seen by others. Runs in that realm, so it refers
 * to nothing outside.
 */
export function bridgeReading(
  text: string,
  host: HostAnswers,
  json: RealmJson,
  { charge }: Meter,
): CaseReading {
  const { freeze, keys } = Object;
  const CLUSTERS_WORK = 100_000;
  const ANSWER_WORK = 500;
  const revive = (_: string, member: unknown): unknown => {
    if (typeof member !== 'object' || member === null) return member;
    const { bigint } = member as { bigint?: string };
    return typeof bigint === 'string' && keys(member).length === 1
      ? BigInt(bigint)
      : freeze(member);
  };
  const parsed = (part: string) => json.parse(part, revive);
  const refuse = () => {
    throw new TypeError('What a detector reads must not be changed.');
  };
  const { wallets, ...rest } = parsed(text);
  const byAddress = new Map<Address, CaseWallet>(wallets);
  for (const name of ['set', 'delete', 'clear'] as const) {
    Object.defineProperty(byAddress, name, { value: refuse });
  }
  const address = (given: unknown): string => {
    if (typeof given !== 'string') throw new TypeError('A wallet is named by its address.');
    return given;
  };
  const known = new Map<string, Clusters>();
  const clusters = (without: readonly string[] = []): Clusters => {
    const key = json.stringify([...without].map(String).sort());
    const found = known.get(key);
    if (found !== undefined) return found;
    charge(CLUSTERS_WORK);
    const { all, problem } = parsed(host.clusters(key)) as {
      readonly all: readonly Cluster[];
      readonly problem?: string;
    };
    if (problem !== undefined) throw new TypeError(problem);
    const clusterOf = new Map<Address, Cluster>();
    for (const cluster of all) for (const member of cluster.members) clusterOf.set(member, cluster);
    const made: Clusters = freeze({
      all,
      of: (wallet) => clusterOf.get(wallet) ?? null,
      strength: (one, other) => {
        charge(ANSWER_WORK);
        return host.strength(key, address(one), address(other));
      },
      linksOf: (one, other) => {
        charge(ANSWER_WORK);
        return parsed(host.linksOf(key, address(one), address(other))) as readonly Link[];
      },
    } satisfies Clusters);
    known.set(key, made);
    return made;
  };
  return freeze({ mintCase: freeze({ ...rest, wallets: freeze(byAddress) }), clusters });
}
