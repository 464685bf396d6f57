/**
 * What ClickHouse's name of a part says. Every insert has a block number of its own; a part that
 * others were merged into has the numbers from the first to the last of them, and one that a
 * mutation rewrote has the number of that mutation.
 */
export interface PartName {
  readonly partition: string;
  readonly firstBlock: number;
  readonly lastBlock: number;
  /** 0 while no mutation has rewritten the part. */
  readonly mutation: number;
}

const NAME = /^([^_]+)_(\d+)_(\d+)_\d+(?:_(\d+))?$/;

/** Null for a name that is not one of a part. */
export function parsePartName(name: string): PartName | null {
  const [, partition, first, last, mutation = '0'] = NAME.exec(name) ?? [];
  if (partition === undefined) return null;
  return {
    partition,
    firstBlock: Number(first),
    lastBlock: Number(last),
    mutation: Number(mutation),
  };
}

/** Whether `one` holds everything that was inserted into `other`. */
export function covers(one: PartName, other: PartName): boolean {
  return (
    one.partition === other.partition &&
    one.firstBlock <= other.firstBlock &&
    one.lastBlock >= other.lastBlock
  );
}

/** The fold whose rows a part of a derived table holds: the epoch comes first in each partition key. */
export function epochOf({ partition }: PartName): number {
  return Number(/^\d+/.exec(partition)?.[0] ?? Number.NaN);
}
