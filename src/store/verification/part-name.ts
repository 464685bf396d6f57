/**
 * The fields of a ClickHouse part name. Every insert has its own block number; a merged part has
 * the first and the last block number of its source parts, and a part that a mutation rewrote has
 * the number of that mutation.
 */
export interface PartName {
  readonly partition: string;
  readonly firstBlock: number;
  readonly lastBlock: number;
  /** 0 while no mutation has rewritten the part. */
  readonly mutation: number;
}

const NAME = /^([^_]+)_(\d+)_(\d+)_\d+(?:_(\d+))?$/;

/** Null for an invalid part name. */
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

/** Whether `one` contains all inserts of `other`. */
export function covers(one: PartName, other: PartName): boolean {
  return (
    one.partition === other.partition &&
    one.firstBlock <= other.firstBlock &&
    one.lastBlock >= other.lastBlock
  );
}

/** The epoch of a part of a derived table: the epoch comes first in each partition key. */
export function epochOf({ partition }: PartName): number {
  return Number(/^\d+/.exec(partition)?.[0] ?? Number.NaN);
}
