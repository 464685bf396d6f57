import type { BatchReads } from '../api/batch-reads.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Address } from '../model/units.ts';
import type { LiveKind, LiveValues } from './live-rows.ts';
import { unpackHolders } from './packed-holders.ts';

/** A row of the view; undefined while it is not there, and then the result does not count. */
export type LiveRowOf = <Kind extends LiveKind>(
  kind: Kind,
  address: Address,
) => LiveValues[Kind] | undefined;

/** Runs a read until all its rows are in the view. */
export type ReadTogether = <Result>(read: (row: LiveRowOf) => Result) => Awaitable<Result>;

type LiveBatches = Omit<BatchReads, 'pools' | 'wallets' | 'fraudChecks'>;

/** Batches of rows of the view. */
export function liveBatches(together: ReadTogether): LiveBatches {
  const ofEach = <Result>(
    addresses: readonly Address[],
    read: (row: LiveRowOf, address: Address) => Result,
  ) => together((row) => addresses.map((address) => read(row, address)));
  return {
    tokenRecords: (mints) => ofEach(mints, (row, mint) => row('token', mint) ?? null),
    pricedTokens: (mints) => ofEach(mints, readPricedToken),
    tokens: (mints) => ofEach(mints, readTokenHolders),
    indicators: (pools) => ofEach(pools, readPoolIndicators),
  };
}

function readTokenHolders(row: LiveRowOf, mint: Address) {
  const token = row('token', mint);
  if (token === null) return null;
  const holders = row('holders', mint);
  if (token === undefined || holders === undefined) return null;
  return { token, holders: unpackHolders(holders) };
}

function readPricedToken(row: LiveRowOf, mint: Address) {
  const token = row('token', mint);
  if (token === undefined || token === null) return null;
  const { primaryPool } = token;
  return { token, pool: primaryPool === null ? null : (row('pool', primaryPool) ?? null) };
}

function readPoolIndicators(row: LiveRowOf, address: Address) {
  const pool = row('pool', address);
  if (pool === null) return null;
  const indicators = row('indicators', address);
  if (pool === undefined || indicators === undefined || indicators === null) return null;
  return { pool, indicators };
}
